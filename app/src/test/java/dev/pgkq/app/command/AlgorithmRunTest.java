package dev.pgkq.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.reward.TaskReward;
import dev.pgkq.train.Algorithm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of all algorithms: reward models, kernels and other rewards than the task's own. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class AlgorithmRunTest {
    private static final int ITERATIONS = 6;

    @TempDir
    private Path folder = Path.of("");

    /** The memory of a reward model and its calibration are part of the checkpoint. */
    @ParameterizedTest
    @ValueSource(strings = {"builtin", "rating"})
    @Tag("slow")
    void aRewardModelStoppedAndResumedEqualsUninterrupted(String reward) {
        String[] model = {"--algo", "ppo-kq-plus", "--mean-epochs", "3", "--reward-memory", "2", "--reward", reward};
        Path resumed = folder.resolve("resumed");
        trainAs(resumed, 3, model);
        trainAs(resumed, ITERATIONS, model);
        Path whole = folder.resolve("whole");
        trainAs(whole, ITERATIONS, model);
        TrainingRunTest.same(resumed, whole);
        Metrics metrics = Metrics.read(whole.resolve("metrics.csv"));
        for (String column : List.of("wce", "wce_random", "mean_error", "kernel_log_likelihood", "kernel_scale")) {
            assertThat(metrics.column(column)).as(column).doesNotContain(Double.NaN);
        }
        Path again = folder.resolve("again");
        Tool.Result result =
                Tool.run("train", "--config", whole.resolve("config.yaml").toString(), "--out", again.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        TrainingRunTest.same(again, whole);
    }

    /** The learning curve shows the reward that is paid for, without its noise. */
    @Test
    void whatIsPaidForIsWhatIsShown() {
        Path clear = folder.resolve("clear");
        Path noisy = folder.resolve("noisy");
        trainAs(clear, 1, "--algo", "ppo-large", "--reward", "rating", "--reward-noise", "0");
        trainAs(noisy, 2, "--algo", "ppo-large", "--reward", "rating", "--reward-noise", "3");
        double[] withNoise = Metrics.read(noisy.resolve("metrics.csv")).column("return_mean");
        double[] without = Metrics.read(clear.resolve("metrics.csv")).column("return_mean");
        assertThat(without[0]).isBetween(0.0, 10.0).isEqualTo(withNoise[0]);
        trainAs(clear, 2, "--algo", "ppo-large", "--reward", "rating", "--reward-noise", "0");
        without = Metrics.read(clear.resolve("metrics.csv")).column("return_mean");
        assertThat(without[1]).as("noise is learned from").isNotEqualTo(withNoise[1]);
    }

    @Test
    void whatDoesNotGoWithAScoreForAnEpisodeIsSaid() {
        Tool.Result estimator = Tool.run(
                "train", "--env", "Pendulum-v1", "--reward", "rating", "--estimator", "e2", "--out", folder.toString());
        assertThat(estimator.exitCode()).isEqualTo(2);
        assertThat(estimator.err()).contains("--estimator e2").contains("e1");
        Tool.Result noise =
                Tool.run("train", "--env", "Pendulum-v1", "--reward-noise", "-1", "--out", folder.toString());
        assertThat(noise.exitCode()).isEqualTo(2);
        assertThat(noise.err()).contains("--reward-noise").contains("'-1'");
        Tool.Result task = Tool.run("train", "--env", "Blind-v0", "--reward", "sparse", "--out", folder.toString());
        assertThat(task.exitCode()).isEqualTo(2);
        assertThat(task.err()).contains("Blind-v0").contains("Yardstick");
    }

    private static void trainAs(Path run, int iterations, String... settings) {
        List<String> args = new ArrayList<>(List.of("train", "--env", "Pendulum-v1", "--batch", "8", "--select", "4"));
        args.addAll(List.of("--seed", "7", "--iterations", Integer.toString(iterations), "--out", run.toString()));
        args.addAll(Arrays.asList(settings));
        if (Files.exists(run)) {
            args.add("--resume");
        }
        Tool.Result result = Tool.run(args.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isZero();
    }

    @Test
    void settingsThatDoNothingAreNotKept() {
        Path run = folder.resolve("run");
        trainAs(run, 1, "--algo", "ppo-large", "--quadrature", "herding", "--reward-memory", "3");
        assertThat(run.resolve("config.yaml"))
                .content()
                .doesNotContain("quadrature")
                .doesNotContain("memory");
    }

    private static Stream<Arguments> algorithmsAndRewards() {
        return Algorithm.ids().stream()
                .flatMap(algorithm -> Arrays.stream(TaskReward.values())
                        .map(reward -> Arguments.of(algorithm, reward.name().toLowerCase(Locale.ROOT))));
    }

    /** Some episodes have no steps at all. */
    @ParameterizedTest
    @MethodSource("algorithmsAndRewards")
    void everyAlgorithmCopesWithSimulationsThatDiverge(String algorithm, String reward) {
        List<String> args = new ArrayList<>(List.of("train", "--env", "Exploding-v0", "--algo", algorithm));
        args.addAll(List.of("--batch", "12", "--select", "4", "--iterations", "2", "--reward", reward));
        args.addAll(List.of("--out", folder.resolve("run").toString()));
        Tool.Result result = Tool.run(args.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isZero();
    }
}
