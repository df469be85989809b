package dev.pgkq.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run on a cluster is the run of one machine, to the last bit. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SameAnswerTest {
    private static final String LOCAL = "local-cluster[2,1,1024]";

    @TempDir
    private Path folder;

    private final StandaloneCluster cluster = StandaloneCluster.SHARED;

    /** With batches that stay where they are, such that come to the driver whole, and such whose kernel it sees to. */
    @ParameterizedTest
    @CsvSource({
        "local, Hopper-v4, ppo-kq, 1, exact, 0",
        "local, Hopper-v4, ppo-large, 1, exact, 0",
        "standalone, Hopper-v4, ppo-kq, 2, exact, 8m",
        "standalone, Hopper-v4, ppo-kq, 6, exact, 1",
        "standalone, Hopper-v4, ppo-kq, 3, features, 0",
        "standalone, Hopper-v4, ppo-large, 2, exact, 8m",
        "standalone, Pendulum-v1, vpg-kq-no-mean, 1, exact, 0",
        "standalone, Walker2d-v4, ppo-kq-plus, 4, exact, 0"
    })
    void metricsAndPolicyAreTheSame(String where, String task, String algorithm, int seed, String gram, String small)
            throws IOException {
        List<String> settings = List.of(
                "env=" + task,
                "algo=" + algorithm,
                "seed=" + seed,
                "iterations=3",
                // more than a tile of the features' product, and no whole number of shards
                "batch=" + (gram.equals("features") ? 150 : 27),
                "select=5",
                "keep-episodes=1",
                "gram=" + gram);
        Path here = folder.resolve("here");
        Path there = folder.resolve("there");
        Runs.train(here, false, settings);
        String address = where.equals("local") ? LOCAL : cluster.address();
        Runs.train(
                there,
                false,
                Runs.with(settings, "cluster=" + address, "cluster-options=spark.pgkq.smallBatch=" + small));
        assertThat(Runs.metrics(there)).isEqualTo(Runs.metrics(here)).hasSize(4);
        assertThat(Runs.policy(there)).isEqualTo(Runs.policy(here));
    }
}
