package dev.pgkq.spark;

import dev.pgkq.batch.EpisodeSource;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.linalg.Blas;
import dev.pgkq.rewards.cluster.Cluster;
import dev.pgkq.rewards.cluster.ClusterSettings;
import dev.pgkq.rewards.cluster.Traffic;
import dev.pgkq.rewards.oracle.Evaluator;
import dev.pgkq.rewards.oracle.EvaluatorSettings;
import dev.pgkq.spark.Shard.Carried;
import dev.pgkq.spark.Shard.Summary;
import dev.pgkq.text.Durations;
import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Variant;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** A connection to a cluster, for one run. */
final class SparkCluster implements Cluster {
    private static final Pattern STANDALONE = Pattern.compile("spark://([^:/,\\[\\]]+):([0-9]+)");
    private static final Pattern MASTER = Pattern.compile(
            "spark://[^,]+:[0-9]+(,[^,]+:[0-9]+)*|local|local\\[[0-9*, ]+\\]|local-cluster\\[ *[0-9]+ *, *[0-9]+ *, *[0-9]+ *\\]|k8s://.+");
    private static final Duration CONNECTING = Duration.ofSeconds(5);
    private static final Duration SETTLED = Duration.ofMillis(1500);
    private static final int HEARTBEATS = 6;
    private static final String SMALL_BATCH = "spark.pgkq.smallBatch";

    private final String master;
    private final JavaSparkContext context;
    private final Watch watch;
    private final Task task;
    private final Blueprint blueprint;
    private final Carried carried;
    private final Consumer<String> tell;
    private final Set<String> otherNumerics = new HashSet<>();
    private volatile Optional<String> deserted = Optional.empty();
    private int cores;

    private SparkCluster(
            String master, JavaSparkContext context, Watch watch, Blueprint blueprint, Consumer<String> tell) {
        this.master = master;
        this.context = context;
        this.watch = watch;
        this.task = Tasks.named(blueprint.task());
        this.blueprint = blueprint;
        this.carried = carried(blueprint.train().algorithm().variant());
        this.tell = tell;
    }

    static SparkCluster connect(ClusterSettings settings, Blueprint blueprint, String name, Consumer<String> tell) {
        requireListener(settings.master());
        SparkConf conf = conf(settings, name);
        Watch watch = new Watch(tell);
        JavaSparkContext context;
        try {
            context = new JavaSparkContext(conf);
        } catch (Exception e) {
            throw trouble("connecting to " + settings.master(), e);
        }
        SparkCluster cluster = new SparkCluster(settings.master(), context, watch, blueprint, tell);
        try {
            context.sc().addSparkListener(watch);
            cluster.awaitWorkers(settings);
            Thread.ofVirtual().name("pgkq-cluster-guard").start(() -> cluster.guard(settings.timeout()));
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Spark itself takes a minute to find out that nobody is there. */
    private static void requireListener(String master) {
        if (!MASTER.matcher(master).matches()) {
            throw new UserException(
                    "--cluster needs spark://HOST:PORT, local-cluster[EXECUTORS,CORES,MEGABYTES], local[THREADS]"
                            + " or k8s://…, got '" + Excerpt.first(master) + "'");
        }
        Matcher standalone = STANDALONE.matcher(master);
        if (!standalone.matches()) {
            return;
        }
        try (Socket socket = new Socket()) {
            InetSocketAddress address =
                    new InetSocketAddress(standalone.group(1), Integer.parseInt(standalone.group(2)));
            socket.connect(address, (int) CONNECTING.toMillis());
        } catch (IOException | IllegalArgumentException e) {
            String why = e instanceof UnknownHostException ? "unknown host" : String.valueOf(e.getMessage());
            throw new UserException(
                    "there is no Spark master at " + master + " (" + why
                            + "): its page and its log show the address; './pgkq cluster start' starts one on this"
                            + " machine",
                    e);
        }
    }

    /** What was given to spark-submit, or in the options, wins over ours; what results rest on does not. */
    private static SparkConf conf(ClusterSettings settings, String name) {
        SparkConf conf = new SparkConf();
        long seconds = Math.max(1, settings.timeout().toSeconds());
        settings.options().forEach(conf::set);
        conf.setMaster(settings.master()).setAppName("pgkq " + name);
        conf.setIfMissing("spark.ui.enabled", "false");
        conf.setIfMissing("spark.ui.showConsoleProgress", "false");
        // of what nobody looks at a little is kept
        for (String what : List.of("Jobs", "Stages", "Tasks")) {
            conf.setIfMissing("spark.ui.retained" + what, "100");
        }
        conf.setIfMissing("spark.network.timeout", seconds + "s");
        conf.setIfMissing("spark.executor.heartbeatInterval", Math.max(1, 1000 * seconds / HEARTBEATS) + "ms");
        // how often the driver looks for silent ones; the default is a minute
        conf.setIfMissing("spark.network.timeoutInterval", Math.max(500, 1000 * seconds / HEARTBEATS) + "ms");
        conf.setIfMissing("spark.locality.wait", "300ms");
        conf.setIfMissing("spark.driver.maxResultSize", "0");
        // floats of simulations do not compress
        conf.setIfMissing("spark.shuffle.compress", "false");
        conf.setIfMissing("spark.broadcast.compress", "false");
        ExecutorClassPath.configure(conf);
        conf.set("spark.speculation", "false");
        return conf;
    }

    private static Carried carried(Variant variant) {
        return switch (variant) {
            case SMALL, LARGE -> Carried.EPISODES;
            case KQ, KQ_PLUS, RANDOM_MEAN, IMPUTE, MODEL_ONLY -> Carried.STEPS;
            case RANDOM, KQ_NO_MEAN -> Carried.NOTHING;
        };
    }

    /** The first is waited for, and others as long as they come one after the other. */
    private void awaitWorkers(ClusterSettings settings) {
        Instant until = Instant.now().plus(settings.timeout());
        // local threads are there, and executors on demand come when they are needed
        boolean there = master.equals("local")
                || master.startsWith("local[")
                || context.getConf().getBoolean("spark.dynamicAllocation.enabled", false);
        while (!there && (executors() == 0 || watch.quiet().compareTo(SETTLED) < 0)) {
            if (executors() == 0 && Instant.now().isAfter(until)) {
                throw new UserException("no worker of " + master + " did anything for this run within "
                        + Durations.format(settings.timeout())
                        + ": none is free, or none has the cores and the memory that are asked for (an executor gets "
                        + context.getConf().get("spark.executor.memory", "1g")
                        + "). The master's page shows what there is; --cluster-options spark.executor.memory=…,"
                        + "spark.executor.cores=… asks for less, a larger --cluster-timeout waits longer");
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new UserException("interrupted while waiting for workers of " + master, e);
            }
        }
        cores = watch.cores() > 0 ? watch.cores() : Math.max(1, context.defaultParallelism());
    }

    /** Also those that came before anybody listened. One of Spark's list is the driver. */
    private int executors() {
        return Math.max(watch.executors(), context.statusTracker().getExecutorInfos().length - 1);
    }

    Task task() {
        return task;
    }

    JavaSparkContext context() {
        return context;
    }

    Blueprint blueprint() {
        return blueprint;
    }

    /** What of sampled episodes the run needs in any case. */
    Carried carried() {
        return carried;
    }

    /** Batches of up to so many bytes are brought to the driver whole. */
    long smallBatch() {
        return context.getConf().getSizeAsBytes(SMALL_BATCH, "8m");
    }

    @Override
    public int cores() {
        return Math.max(cores, watch.cores());
    }

    @Override
    public String description() {
        int executors = Math.max(1, executors());
        return executors + (executors == 1 ? " executor" : " executors") + " with " + cores()
                + (cores() == 1 ? " core" : " cores") + " of " + master;
    }

    @Override
    public EpisodeSource.Opener source() {
        return (kernel, workers) -> new SparkSource(this, kernel, workers);
    }

    @Override
    public Evaluator evaluator(String spec, EvaluatorSettings settings) {
        return new ClusterEvaluator(this, spec, settings);
    }

    /**
     * Spark would wait for executors for ever, also for those of a master that is gone. While there is nothing to do, as when
     * rewards are awaited elsewhere, none is missed: a cluster may take them back and give others.
     */
    private void guard(Duration timeout) {
        Instant since = Instant.now();
        try {
            while (!context.sc().isStopped()) {
                Thread.sleep(Duration.ofMillis(500));
                if (!watch.deserted() || context.statusTracker().getActiveJobIds().length == 0) {
                    since = Instant.now();
                } else if (Duration.between(since, Instant.now()).compareTo(timeout) > 0) {
                    deserted = Optional.of(master + " has given this run no executor for " + Durations.format(timeout)
                            + ", and may be gone: start it again, or take another. Everything up to the last iteration is"
                            + " saved: go on with --resume, there or without --cluster");
                    cancel();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does something with Spark. What goes wrong is told in a line; Spark throws checked exceptions that it does not declare. */
    <R> R run(String what, Supplier<R> job) {
        try {
            return job.get();
        } catch (UserException e) {
            throw e;
        } catch (Exception e) {
            requireAnybody(e);
            throw trouble(what + " on " + master, e);
        }
    }

    /** What fails because nobody is left to do it is not to be tried again. */
    void requireAnybody(Exception cause) {
        deserted.ifPresent(reason -> {
            throw new UserException(reason, cause);
        });
    }

    private static UserException trouble(String what, Exception e) {
        String reason = e.getMessage() == null ? e.toString() : e.getMessage();
        String first = reason.lines().findFirst().orElse("").replaceAll("[.\\s]*(SQLSTATE: \\w+)?[.\\s]*$", "");
        return new UserException(
                what + " failed: " + Excerpt.first(first)
                        + ". What was saved is intact: mend what is wrong and start again, with --resume if the run had begun;"
                        + " PGKQ_SPARK_LOG=FILE has Spark write there what it does",
                e);
    }

    /** Another processor is to be known. */
    void check(List<Summary> summaries) {
        for (Summary summary : summaries) {
            summary.requireFine();
            if (!summary.numerics().equals(Blas.best().description()) && otherNumerics.add(summary.host())) {
                tell.accept(summary.host() + " computes with " + summary.numerics() + ", this machine with "
                        + Blas.best().description() + ": results are rounded otherwise than on one machine");
            }
        }
    }

    @Override
    public Traffic traffic() {
        return watch.traffic();
    }

    @Override
    public void cancel() {
        if (!context.sc().isStopped()) {
            context.cancelAllJobs();
        }
    }

    @Override
    public void close() {
        watch.closing();
        context.stop();
    }
}
