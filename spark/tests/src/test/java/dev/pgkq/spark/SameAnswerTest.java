package dev.pgkq.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.config.Setting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run on a cluster equals the run on one machine, to the last bit. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SameAnswerTest {
    private static final String LOCAL = "local-cluster[2,1,1024]";

    @TempDir
    private Path folder;

    private static List<String> settings(String task, String algorithm, int seed, String gram) {
        return List.of(
                "env=" + task,
                "algo=" + algorithm,
                "seed=" + seed,
                "iterations=3",
                // more than a tile of the features' product, and not a whole number of shards
                "batch=" + (gram.equals("features") ? 150 : 27),
                "select=5",
                "keep-episodes=1",
                "gram=" + gram);
    }

    private void assertSame(List<String> settings, String... onCluster) throws IOException {
        Path local = folder.resolve("local");
        Path remote = folder.resolve("remote");
        Runs.train(local, false, settings);
        Runs.train(remote, false, Runs.with(settings, onCluster));
        assertThat(Runs.metrics(remote))
                .isEqualTo(Runs.metrics(local))
                .hasSize(1 + Runs.config(settings).count(Setting.ITERATIONS));
        assertThat(Runs.policy(remote)).isEqualTo(Runs.policy(local));
    }

    /** The short form of the test below, which also shows that executors need the listed jars only. */
    @Test
    void executorsWithTheListedJarsOnlyGiveTheSameMetricsAndPolicy() throws IOException {
        String reward =
                "exec:sh -c 'echo \"{\\\"return\\\": $(printf %s \"$PGKQ_IDEMPOTENCY_KEY\" | cksum | cut -c 1-3)}\"'";
        assertSame(
                Runs.with(
                        settings("Hopper-v4", "ppo-kq", 5, "exact"),
                        "iterations=2",
                        "batch=11",
                        "reward=" + reward,
                        "reward-per=episode"),
                "cluster=" + LOCAL,
                "reward-on=cluster",
                "cluster-options=spark.pgkq.smallBatch=0,spark.executor.extraClassPath=" + ListedJars.classPath());
    }

    /** Executors normalise observations as the driver does. */
    @ParameterizedTest
    @Tag("slow")
    @CsvSource({"ppo-kq-plus, 0", "ppo-large, 8m"})
    void observationsAreNormalisedAlike(String algorithm, String small) throws IOException {
        assertSame(
                Runs.with(settings("Hopper-v4", algorithm, 3, "exact"), "normalize-observations=true"),
                "cluster=" + LOCAL,
                "cluster-options=spark.pgkq.smallBatch=" + small);
    }

    /** With batches that stay on executors, that are sent to the driver whole, and whose kernel the driver evaluates. */
    @ParameterizedTest
    @Tag("slow")
    @CsvSource({
        "local, Hopper-v4, ppo-kq, 1, exact, 0",
        "local, Hopper-v4, ppo-large, 1, exact, 0",
        "standalone, Hopper-v4, ppo-kq, 2, exact, 8m",
        "standalone, Hopper-v4, ppo-kq, 6, exact, 1",
        "standalone, Hopper-v4, ppo-kq, 3, features, 0",
        "standalone, Hopper-v4, ppo-large, 2, exact, 8m",
        "standalone, Pendulum-v1, vpg-kq-no-mean, 1, exact, 0",
        "standalone, Walker2d-v4, ppo-kq-plus, 4, exact, 0",
        "standalone, Hopper-v4, ppo-kq-bayes, 3, exact, 0"
    })
    void metricsAndPolicyAreTheSame(String where, String task, String algorithm, int seed, String gram, String small)
            throws IOException {
        assertSame(
                settings(task, algorithm, seed, gram),
                "cluster="
                        + (where.equals("local")
                                ? LOCAL
                                : StandaloneCluster.shared().address()),
                "cluster-options=spark.pgkq.smallBatch=" + small);
    }
}
