package dev.pgkq.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run on a cluster is the run of one machine, to the last bit. */
class SameAnswerTest {
    private static final String TWO_EXECUTORS = "cluster=local-cluster[2,1,1024]";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "Hopper-v4, ppo-kq, 1, exact",
        "Hopper-v4, ppo-kq, 2, exact",
        "Hopper-v4, ppo-kq, 3, features",
        "Hopper-v4, ppo-large, 1, exact",
        "Hopper-v4, ppo-large, 2, exact",
        "Pendulum-v1, vpg-kq-no-mean, 1, exact",
        "Hopper-v4, ppo-kq-plus, 4, exact",
        "InvertedDoublePendulum-v4, ppo-random, 5, exact"
    })
    void metricsAndPolicyAreTheSame(String task, String algorithm, int seed, String gram) throws IOException {
        List<String> settings = List.of(
                "env=" + task,
                "algo=" + algorithm,
                "seed=" + seed,
                "iterations=4",
                "batch=24",
                "select=5",
                "keep-episodes=1",
                algorithm.contains("kq") ? "gram=" + gram : "threads=1");
        Path here = folder.resolve("here");
        Path there = folder.resolve("there");
        Runs.train(here, false, settings);
        Runs.train(there, false, Runs.with(settings, TWO_EXECUTORS));
        assertThat(Runs.metrics(there)).isEqualTo(Runs.metrics(here)).hasSize(5);
        assertThat(Runs.policy(there)).isEqualTo(Runs.policy(here));
    }
}
