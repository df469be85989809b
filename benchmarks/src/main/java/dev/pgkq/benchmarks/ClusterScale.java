package dev.pgkq.benchmarks;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.parallel.Workers;
import dev.pgkq.reward.EnvironmentReward;
import dev.pgkq.reward.RewardSource;
import dev.pgkq.rewards.cluster.Cluster;
import dev.pgkq.rewards.cluster.ClusterProvider;
import dev.pgkq.rewards.cluster.ClusterSettings;
import dev.pgkq.rewards.cluster.Traffic;
import dev.pgkq.state.Snapshot;
import dev.pgkq.train.IterationReport;
import dev.pgkq.train.IterationReport.Stage;
import dev.pgkq.train.Trainer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * Spark executors with one core each against as many threads on the same cores. The same iteration runs on both in turn, so
 * that both do the same work under the same conditions.
 */
final class ClusterScale implements Benchmark {
    private static final String TASK = "Hopper-v4";
    private static final String MASTER = "local-cluster[%d,1,2048]";
    private static final int WARM_UP_ITERATIONS = 25;
    private static final double MOST_ADDED_MILLISECONDS = 300;
    private static final double LEAST_THROUGHPUT = 0.85;

    @Override
    public String name() {
        return "cluster";
    }

    @Override
    public String doing() {
        return "iterations on Spark executors against threads (ten minutes)";
    }

    @Override
    public List<Row> run(Effort effort) {
        if (ServiceLoader.load(ClusterProvider.class).findFirst().isEmpty()) {
            return List.of(Row.notMeasured("cluster", "", "needs Spark: run pgkq bench cluster"));
        }
        List<Row> rows = new ArrayList<>();
        Snapshot trained = trained();
        rows.addAll(sideBySide(trained, 64, effort.rounds(60), "algo=ppo-kq"));
        rows.addAll(sideBySide(trained, 64, effort.rounds(60), "algo=ppo-kq-no-mean"));
        rows.addAll(sideBySide(trained, 1024, effort.rounds(10), "algo=ppo-kq", "gram=features"));
        return rows;
    }

    private static RunConfig config(int batch, String... settings) {
        Map<Setting, Given> given = new EnumMap<>(Setting.class);
        List<String> all = new ArrayList<>(List.of("env=" + TASK, "batch=" + batch, "select=8"));
        all.addAll(Arrays.asList(settings));
        for (String each : all) {
            String key = each.substring(0, each.indexOf('='));
            given.put(Setting.named(key).orElseThrow(), new Given(each.substring(each.indexOf('=') + 1), "--" + key));
        }
        return RunConfig.of(given);
    }

    /** A policy that stands for a while, whose episodes have a typical length. */
    private static Snapshot trained() {
        try (Trainer trainer =
                new Trainer(Tasks.named(TASK), config(64, "algo=ppo-kq").trainSettings(), cores())) {
            for (int i = 0; i < WARM_UP_ITERATIONS; i++) {
                trainer.iterate();
            }
            return trainer.snapshot();
        }
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    private static List<Row> sideBySide(Snapshot from, int batch, int iterations, String... settings) {
        RunConfig config = config(batch, settings);
        Task task = Tasks.named(TASK);
        String master = String.format(Locale.ROOT, MASTER, cores());
        ClusterSettings there = new ClusterSettings(master, Map.of(), Duration.ofSeconds(60), false);
        try (Cluster cluster = ClusterProvider.find()
                        .connect(
                                there, task, config.trainSettings(), config.monitored(), "bench", System.err::println);
                Trainer local = new Trainer(task, config.trainSettings(), cores());
                Trainer remote = new Trainer(
                        task,
                        config.trainSettings(),
                        RewardSource.of(new EnvironmentReward(task)),
                        cluster.source(),
                        new Workers(cores()))) {
            return measured(from, local, remote, cluster, config, iterations);
        }
    }

    private static List<Row> measured(
            Snapshot from, Trainer local, Trainer remote, Cluster cluster, RunConfig config, int iterations) {
        Times here = new Times();
        Times there = new Times();
        Traffic moved = cluster.traffic();
        int counted = Math.max(1, iterations / 2);
        for (int i = 0; i < iterations; i++) {
            boolean counts = i >= iterations - counted;
            if (i == iterations - counted) {
                moved = cluster.traffic();
            }
            local.restore(from);
            remote.restore(from);
            IterationReport own = local.iterate();
            IterationReport other = remote.iterate();
            if (own.returnMean() != other.returnMean()) {
                throw new IllegalStateException("the results differ in iteration " + own.iteration());
            }
            if (counts) {
                here.add(own);
                there.add(other);
            }
        }
        return rows(config, here, there, cluster.traffic().minus(moved), counted);
    }

    private static final class Times {
        private double all;
        private double sampling;
        private double choosing;
        private double length;

        void add(IterationReport report) {
            all += report.totalSeconds();
            sampling += report.seconds().getOrDefault(Stage.SAMPLE, 0.0);
            choosing += report.seconds().getOrDefault(Stage.SELECT, 0.0);
            length += report.lengthMean();
        }
    }

    private static List<Row> rows(RunConfig config, Times here, Times there, Traffic moved, int counted) {
        int batch = config.trainSettings().sampled();
        String what = String.format(
                Locale.ROOT, "%s, N = %d, mean length %.0f", config.algorithm().id(), batch, here.length / counted);
        List<Row> rows = new ArrayList<>();
        double added = 1000 * (there.all - here.all) / counted;
        if (batch == 64) {
            rows.add(Row.atMost(what + ": added to an iteration", added, MOST_ADDED_MILLISECONDS, "ms"));
        }
        Row throughput = Row.atLeast(
                what + ": time per iteration",
                perIteration(there.all, counted),
                perIteration(here.all, counted),
                here.all / there.all,
                LEAST_THROUGHPUT);
        rows.add(
                batch == 64
                        ? Row.forReference(
                                throughput.what(), throughput.ours(), throughput.peer(), here.all / there.all)
                        : throughput);
        rows.add(Row.forReference(
                what + ": sampling",
                perIteration(there.sampling, counted),
                perIteration(here.sampling, counted),
                here.sampling / there.sampling));
        rows.add(Row.forReference(
                what + ": choosing",
                perIteration(there.choosing, counted),
                perIteration(here.choosing, counted),
                here.choosing / there.choosing));
        double least = least(config, batch, here.length / counted);
        double toDriver = (double) moved.toDriver() / counted;
        rows.add(Row.forReference(
                what + ": bytes to the driver, against the least that it needs",
                String.format(Locale.ROOT, "%.3g MB", toDriver / 1e6),
                String.format(Locale.ROOT, "%.3g MB", least / 1e6),
                toDriver / least));
        rows.add(new Row(
                what + ": bytes between executors",
                String.format(Locale.ROOT, "%.3g MB", moved.betweenExecutors() / 1e6 / counted),
                "",
                "",
                "",
                ""));
        return rows;
    }

    private static String perIteration(double seconds, int counted) {
        return String.format(Locale.ROOT, "%.0f ms", 1000 * seconds / counted);
    }

    /** The bytes that the driver needs: half of K, the steps if a model is applied to all of them, and the paid episodes. */
    private static double least(RunConfig config, int batch, double length) {
        EnvironmentSpec spec = Tasks.named(TASK).spec();
        double ofStep = 4.0 * (spec.observationSize() + spec.encodedActionSize() + 1);
        double ofState = 8.0 * spec.stateSize();
        int paid = config.trainSettings().paid();
        boolean all = !config.algorithm().id().endsWith("no-mean");
        return 8.0 * batch * (batch + 1) / 2 + (all ? batch : paid) * length * ofStep + paid * (length + 1) * ofState;
    }
}
