package dev.pgkq.spark;

import dev.pgkq.rewards.cluster.Traffic;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Hears from Spark which executors come and go, and what tasks move. */
final class Watch extends SparkListener {
    private final Consumer<String> tell;
    private final Map<String, String> hosts = new ConcurrentHashMap<>();
    private final Map<String, Integer> cores = new ConcurrentHashMap<>();
    private final AtomicLong results = new AtomicLong();
    private final AtomicLong shuffled = new AtomicLong();
    private volatile Instant lastAdded = Instant.EPOCH;
    private volatile boolean closing;

    Watch(Consumer<String> tell) {
        this.tell = tell;
    }

    @Override
    public void onExecutorAdded(SparkListenerExecutorAdded added) {
        lastAdded = Instant.now();
        cores.put(added.executorId(), added.executorInfo().totalCores());
        hosts.put(added.executorId(), added.executorInfo().executorHost());
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
        String host = hosts.remove(removed.executorId());
        cores.remove(removed.executorId());
        if (host == null) {
            return; // it never was there
        }
        if (!closing) {
            String reason = String.valueOf(removed.reason()).lines().findFirst().orElse("");
            tell.accept("executor " + removed.executorId() + " on " + host + " is gone ("
                    + reason.replaceAll("[.\\s]+$", "")
                    + "): what it had is sampled again elsewhere, and rewards that it"
                    + " was asked for are asked for again"
                    + (hosts.isEmpty() ? "; none is left, and the run waits for the cluster to give it one" : ""));
        }
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
        TaskMetrics metrics = end.taskMetrics();
        if (metrics != null) {
            results.addAndGet(metrics.resultSize());
            shuffled.addAndGet(metrics.shuffleReadMetrics().totalBytesRead());
        }
    }

    /** How long no executor has come. */
    Duration quiet() {
        return Duration.between(lastAdded, Instant.now());
    }

    /** Whether there were executors, and there is none now. */
    boolean deserted() {
        return !closing && hosts.isEmpty() && lastAdded.isAfter(Instant.EPOCH);
    }

    int executors() {
        return hosts.size();
    }

    int cores() {
        return cores.values().stream().mapToInt(Integer::intValue).sum();
    }

    Traffic traffic() {
        return new Traffic(results.get(), shuffled.get());
    }

    /** From now on nobody is missed. */
    void closing() {
        closing = true;
    }
}
