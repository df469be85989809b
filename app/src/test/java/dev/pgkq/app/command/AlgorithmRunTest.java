package dev.pgkq.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.train.Algorithm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the algorithms have besides policy and baseline, in run directories. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class AlgorithmRunTest {
    private static final int ITERATIONS = 6;

    @TempDir
    private Path folder = Path.of("");

    /** What a reward model remembers and how its weights are calibrated goes through the checkpoint, too. */
    @Test
    void aRewardModelStoppedAndResumedEqualsUninterrupted() {
        String[] model = {"--algo", "ppo-kq-plus", "--mean-epochs", "3", "--reward-memory", "2"};
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

    /** Episodes of no length at all among them. */
    @Test
    void everyAlgorithmCopesWithSimulationsThatBlowUp() {
        for (String algorithm : Algorithm.ids()) {
            Tool.Result result = Tool.run(
                    "train",
                    "--env",
                    "Exploding-v0",
                    "--algo",
                    algorithm,
                    "--batch",
                    "12",
                    "--select",
                    "4",
                    "--iterations",
                    "2",
                    "--out",
                    folder.resolve(algorithm).toString());
            assertThat(result.exitCode()).as(algorithm + ": " + result.err()).isZero();
        }
    }
}
