package dev.pgkq.spark;

import dev.pgkq.batch.EpisodeSource;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.linalg.Blas;
import dev.pgkq.rewards.cluster.Cluster;
import dev.pgkq.rewards.cluster.ClusterException;
import dev.pgkq.rewards.cluster.ClusterException.Problem;
import dev.pgkq.rewards.cluster.ClusterSettings;
import dev.pgkq.rewards.cluster.Traffic;
import dev.pgkq.rewards.oracle.Evaluator;
import dev.pgkq.rewards.oracle.EvaluatorSettings;
import dev.pgkq.spark.Shard.Payload;
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

/** A connection to a Spark cluster, for one run. */
final class SparkCluster implements Cluster {
    private static final Pattern STANDALONE = Pattern.compile("spark://([^:/,\\[\\]]+):([0-9]+)");
    private static final Pattern MASTER = Pattern.compile(
            "spark://[^,]+:[0-9]+(,[^,]+:[0-9]+)*|local|local\\[[0-9*, ]+\\]|local-cluster\\[ *[0-9]+ *, *[0-9]+ *, *[0-9]+ *\\]|k8s://.+");
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    /** If no executor was added for this long, no more are expected. */
    private static final Duration SETTLED = Duration.ofMillis(1500);
    /** Heartbeats of an executor within the timeout. */
    private static final int HEARTBEATS = 6;
    /** Size in bytes up to which a batch is sent to the driver whole. */
    private static final String SMALL_BATCH = "spark.pgkq.smallBatch";

    private final String master;
    private final JavaSparkContext context;
    private final ClusterListener listener;
    private final Task task;
    private final Blueprint blueprint;
    private final Payload payload;
    private final Consumer<String> warn;
    private final Set<String> hostsWithOtherNumerics = new HashSet<>();
    private volatile Optional<String> unavailable = Optional.empty();
    private int cores;

    private SparkCluster(
            String master,
            JavaSparkContext context,
            ClusterListener listener,
            Blueprint blueprint,
            Consumer<String> warn) {
        this.master = master;
        this.context = context;
        this.listener = listener;
        this.task = Tasks.named(blueprint.task());
        this.blueprint = blueprint;
        this.payload = payload(blueprint.train().algorithm().variant());
        this.warn = warn;
    }

    static SparkCluster connect(ClusterSettings settings, Blueprint blueprint, String name, Consumer<String> warn) {
        requireMaster(settings.master());
        SparkConf conf = conf(settings, name);
        ClusterListener listener = new ClusterListener(warn);
        JavaSparkContext context;
        try {
            context = new JavaSparkContext(conf);
        } catch (Exception e) {
            throw failure("connecting to " + settings.master(), e);
        }
        SparkCluster cluster = new SparkCluster(settings.master(), context, listener, blueprint, warn);
        try {
            context.sc().addSparkListener(listener);
            cluster.awaitExecutors(settings);
            Thread.ofVirtual().name("pgkq-cluster-guard").start(() -> cluster.guard(settings.timeout()));
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Checks the address, and that something listens there: Spark needs a minute to find out that nothing does. */
    private static void requireMaster(String master) {
        if (!MASTER.matcher(master).matches()) {
            throw new ClusterException(
                    Problem.ADDRESS,
                    "the address of a cluster must be spark://HOST:PORT, local-cluster[EXECUTORS,CORES,MEGABYTES],"
                            + " local[THREADS] or k8s://…, got '" + Excerpt.first(master) + "'");
        }
        Matcher standalone = STANDALONE.matcher(master);
        if (!standalone.matches()) {
            return;
        }
        try (Socket socket = new Socket()) {
            InetSocketAddress address =
                    new InetSocketAddress(standalone.group(1), Integer.parseInt(standalone.group(2)));
            socket.connect(address, (int) CONNECT_TIMEOUT.toMillis());
        } catch (IOException | IllegalArgumentException e) {
            String why = e instanceof UnknownHostException ? "unknown host" : String.valueOf(e.getMessage());
            throw new ClusterException(
                    Problem.UNREACHABLE,
                    "there is no Spark master at " + master + " (" + why
                            + "): the master's web page and log show its address",
                    e);
        }
    }

    /** Options from spark-submit and the user take precedence over ours, except where correctness depends on ours. */
    private static SparkConf conf(ClusterSettings settings, String name) {
        SparkConf conf = new SparkConf();
        long seconds = Math.max(1, settings.timeout().toSeconds());
        settings.options().forEach(conf::set);
        conf.setMaster(settings.master()).setAppName("pgkq " + name);
        conf.setIfMissing("spark.ui.enabled", "false");
        conf.setIfMissing("spark.ui.showConsoleProgress", "false");
        // the driver's memory is not for the history of jobs
        for (String what : List.of("Jobs", "Stages", "Tasks")) {
            conf.setIfMissing("spark.ui.retained" + what, "100");
        }
        conf.setIfMissing("spark.network.timeout", seconds + "s");
        conf.setIfMissing("spark.executor.heartbeatInterval", Math.max(1, 1000 * seconds / HEARTBEATS) + "ms");
        // how often the driver checks for missing heartbeats; the default is a minute
        conf.setIfMissing("spark.network.timeoutInterval", Math.max(500, 1000 * seconds / HEARTBEATS) + "ms");
        conf.setIfMissing("spark.locality.wait", "300ms");
        conf.setIfMissing("spark.driver.maxResultSize", "0");
        // floating-point numbers of simulations do not compress
        conf.setIfMissing("spark.shuffle.compress", "false");
        conf.setIfMissing("spark.broadcast.compress", "false");
        ExecutorClassPath.configure(conf);
        conf.set("spark.speculation", "false");
        return conf;
    }

    private static Payload payload(Variant variant) {
        return switch (variant) {
            case SMALL, LARGE -> Payload.EPISODES;
            case KQ, KQ_PLUS, KQ_BAYES, RANDOM_BAYES, RANDOM_MEAN, IMPUTE, MODEL_ONLY -> Payload.STEPS;
            case RANDOM, KQ_NO_MEAN -> Payload.NONE;
        };
    }

    /** Waits for the first executor, and then until no more are added. */
    private void awaitExecutors(ClusterSettings settings) {
        Instant until = Instant.now().plus(settings.timeout());
        // local threads exist already, and dynamic allocation adds executors when there is work
        boolean ready = master.equals("local")
                || master.startsWith("local[")
                || context.getConf().getBoolean("spark.dynamicAllocation.enabled", false);
        while (!ready && (executors() == 0 || listener.sinceLastAdded().compareTo(SETTLED) < 0)) {
            if (executors() == 0 && Instant.now().isAfter(until)) {
                throw new ClusterException(
                        Problem.NO_EXECUTORS,
                        "no worker of " + master + " started an executor within "
                                + Durations.format(settings.timeout())
                                + ": none is free, or none has the requested cores and memory ("
                                + context.getConf().get("spark.executor.memory", "1g")
                                + " per executor). The master's web page shows what is available");
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new UserException("interrupted while waiting for executors of " + master, e);
            }
        }
        cores = listener.cores() > 0 ? listener.cores() : Math.max(1, context.defaultParallelism());
    }

    /** Counts also those that were added before the listener was. One entry of Spark's list is the driver. */
    private int executors() {
        return Math.max(listener.executors(), context.statusTracker().getExecutorInfos().length - 1);
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

    /** The least that the driver needs of all sampled episodes. */
    Payload payload() {
        return payload;
    }

    /** Size in bytes up to which a batch is sent to the driver whole. */
    long smallBatch() {
        return context.getConf().getSizeAsBytes(SMALL_BATCH, "8m");
    }

    @Override
    public int cores() {
        return Math.max(cores, listener.cores());
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
     * Ends the run if it has had work but no executor for too long. Spark would wait forever, even if the master is gone. While
     * there is no work, as during an evaluation elsewhere, a cluster may take executors away and add others later.
     */
    private void guard(Duration timeout) {
        Instant since = Instant.now();
        try {
            while (!context.sc().isStopped()) {
                Thread.sleep(Duration.ofMillis(500));
                if (!listener.hasLostAll() || context.statusTracker().getActiveJobIds().length == 0) {
                    since = Instant.now();
                } else if (Duration.between(since, Instant.now()).compareTo(timeout) > 0) {
                    unavailable = Optional.of(
                            master + " has provided no executor for " + Durations.format(timeout) + " and may be down");
                    cancel();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Runs a job and turns failures into a {@link ClusterException} of one line. Spark throws checked exceptions that it does not
     * declare.
     *
     * @param what describes the job in the message
     */
    <R> R run(String what, Supplier<R> job) {
        try {
            return job.get();
        } catch (UserException e) {
            throw e;
        } catch (Exception e) {
            throwIfUnavailable(e);
            throw failure(what + " on " + master, e);
        }
    }

    /** Throws a {@link ClusterException} if the run has no executors any more: another attempt is pointless. */
    void throwIfUnavailable(Exception cause) {
        unavailable.ifPresent(reason -> {
            throw new ClusterException(Problem.EXECUTORS_LOST, reason, cause);
        });
    }

    private static ClusterException failure(String what, Exception e) {
        String reason = e.getMessage() == null ? e.toString() : e.getMessage();
        String first = reason.lines().findFirst().orElse("").replaceAll("[.\\s]*(SQLSTATE: \\w+)?[.\\s]*$", "");
        return new ClusterException(Problem.FAILURE, what + " failed: " + Excerpt.first(first), e);
    }

    /** Throws if sampling failed somewhere, and warns once about each host whose results are rounded differently. */
    void check(List<Summary> summaries) {
        for (Summary summary : summaries) {
            summary.requireSuccess();
            if (!summary.numerics().equals(Blas.best().description()) && hostsWithOtherNumerics.add(summary.host())) {
                warn.accept(summary.host() + " computes with " + summary.numerics() + ", this machine with "
                        + Blas.best().description() + ": results are rounded differently than on one machine");
            }
        }
    }

    @Override
    public Traffic traffic() {
        return listener.traffic();
    }

    @Override
    public void cancel() {
        if (!context.sc().isStopped()) {
            context.cancelAllJobs();
        }
    }

    @Override
    public void close() {
        listener.closing();
        context.stop();
    }
}
