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

/** Tracks executors as they are added and removed, and counts the bytes that tasks move. */
final class ClusterListener extends SparkListener {
    private final Consumer<String> warn;
    private final Map<String, String> hosts = new ConcurrentHashMap<>();
    private final Map<String, Integer> cores = new ConcurrentHashMap<>();
    private final AtomicLong resultBytes = new AtomicLong();
    private final AtomicLong shuffledBytes = new AtomicLong();
    private volatile Instant lastAdded = Instant.EPOCH;
    private volatile boolean closing;

    /** @param warn receives a message for each executor that is lost */
    ClusterListener(Consumer<String> warn) {
        this.warn = warn;
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
            return; // it was never added
        }
        if (!closing) {
            String reason = String.valueOf(removed.reason()).lines().findFirst().orElse("");
            warn.accept("executor " + removed.executorId() + " on " + host + " was lost ("
                    + reason.replaceAll("[.\\s]+$", "")
                    + "): its episodes are sampled again and its pending rewards are requested again"
                    + (hosts.isEmpty() ? "; no executor is left, and the run waits for a new one" : ""));
        }
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
        TaskMetrics metrics = end.taskMetrics();
        if (metrics != null) {
            resultBytes.addAndGet(metrics.resultSize());
            shuffledBytes.addAndGet(metrics.shuffleReadMetrics().totalBytesRead());
        }
    }

    /** The time since an executor was last added. */
    Duration sinceLastAdded() {
        return Duration.between(lastAdded, Instant.now());
    }

    /** Whether there were executors and none is left. */
    boolean hasLostAll() {
        return !closing && hosts.isEmpty() && lastAdded.isAfter(Instant.EPOCH);
    }

    int executors() {
        return hosts.size();
    }

    int cores() {
        return cores.values().stream().mapToInt(Integer::intValue).sum();
    }

    Traffic traffic() {
        return new Traffic(resultBytes.get(), shuffledBytes.get());
    }

    /** Stops reporting lost executors, because the run is ending. */
    void closing() {
        closing = true;
    }
}
