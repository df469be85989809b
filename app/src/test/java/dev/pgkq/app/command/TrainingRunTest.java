package dev.pgkq.app.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.app.Tool;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.rewards.files.Safetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run that was stopped, killed or damaged and then resumed ends like one that was not interrupted. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TrainingRunTest {
    private static final int ITERATIONS = 6;

    /** Has one run of {@link #ITERATIONS} iterations that was not interrupted. */
    @TempDir
    private static Path shared = Path.of("");

    @TempDir
    private Path folder = Path.of("");

    private static String[] options(Path run, int iterations, String... more) {
        return Stream.concat(
                        Stream.of(
                                "train",
                                "--env",
                                "Pendulum-v1",
                                "--algo",
                                "ppo-large",
                                "--batch",
                                "8",
                                "--select",
                                "4",
                                "--seed",
                                "7",
                                "--iterations",
                                Integer.toString(iterations),
                                "--out",
                                run.toString()),
                        Arrays.stream(more))
                .toArray(String[]::new);
    }

    private static Tool.Result train(Path run, int iterations, String... more) {
        Tool.Result result = Tool.run(options(run, iterations, more));
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result;
    }

    private static Path uninterrupted() {
        Path run = shared.resolve("uninterrupted");
        if (Files.notExists(run)) {
            train(run, ITERATIONS, "--threads", "1");
        }
        return run;
    }

    /** Asserts that metrics, except for times, parameters and moments are the same. */
    static void same(Path a, Path b) {
        Metrics first = Metrics.read(a.resolve("metrics.csv"));
        Metrics second = Metrics.read(b.resolve("metrics.csv"));
        assertThat(first.columns()).isEqualTo(second.columns());
        for (String column : first.columns()) {
            if (!column.startsWith("seconds_")) {
                assertThat(first.column(column)).as(column).isEqualTo(second.column(column));
            }
        }
        Safetensors.Contents one = Safetensors.read(newest(a));
        Safetensors.Contents two = Safetensors.read(newest(b));
        assertThat(one.metadata()).isEqualTo(two.metadata());
        assertThat(one.tensors().keySet()).isEqualTo(two.tensors().keySet());
        one.tensors()
                .forEach((name, tensor) -> assertThat(tensor.values())
                        .as(name)
                        .isEqualTo(two.tensor(name, tensor.shape()).values()));
    }

    private static Path newest(Path run) {
        List<Path> checkpoints = checkpoints(run);
        return checkpoints.getLast();
    }

    private static List<Path> checkpoints(Path run) {
        try (Stream<Path> files = Files.list(run.resolve("checkpoint"))) {
            return new ArrayList<>(files.filter(file -> file.toString().endsWith(".safetensors"))
                    .sorted()
                    .toList());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void aRunLeavesWhatItPromises() throws IOException {
        Path run = folder.resolve("run");
        Tool.Result result = train(run, 3, "--tensorboard");
        assertThat(result.out())
                .contains("finished after iteration 3 of 3")
                .contains(run.resolve("metrics.csv").toString())
                .contains("pgkq evaluate " + run);
        assertThat(run.resolve("curve.png")).isNotEmptyFile();
        assertThat(run.resolve("tensorboard")).isDirectoryContaining("glob:**events.out.tfevents.*");
        assertThat(run.resolve("events.jsonl"))
                .content()
                .contains("\"started\"")
                .contains("\"finished\"");
        Metrics metrics = Metrics.read(run.resolve("metrics.csv"));
        assertThat(metrics.column("iteration")).containsExactly(1, 2, 3);
        assertThat(metrics.column("reward_evaluations")).containsExactly(8, 16, 24);
        assertThat(metrics.column("steps")).containsExactly(1600, 3200, 4800);
        double[] means = metrics.column("return_mean");
        double[] paid = metrics.column("paid_return");
        for (int i = 0; i < means.length; i++) {
            assertThat(paid[i]).as("all are paid for").isCloseTo(means[i], within(1e-9 * Math.abs(means[i])));
        }
        assertThat(metrics.column("truncated")).containsExactly(8, 8, 8);
        assertThat(metrics.columns().subList(0, 9))
                .containsExactly(
                        "iteration",
                        "steps",
                        "episodes",
                        "reward_evaluations",
                        "return_mean",
                        "return_se",
                        "length_mean",
                        "wce",
                        "wce_random");
        assertThat(checkpoints(run)).hasSize(2);
    }

    @Test
    void stoppedAndResumedEqualsUninterruptedWhateverTheThreads() {
        Path resumed = folder.resolve("resumed");
        train(resumed, 2, "--threads", "2");
        train(resumed, ITERATIONS, "--resume", "--threads", "3");
        same(resumed, uninterrupted());
    }

    @Test
    void aRunRepeatsFromItsOwnConfigFileAlone() {
        Path first = uninterrupted();
        Path again = folder.resolve("again");
        Tool.Result result =
                Tool.run("train", "--config", first.resolve("config.yaml").toString(), "--out", again.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        same(again, first);
    }

    @Test
    void aRunIsNotResumedAsSomethingElse() {
        Path run = folder.resolve("run");
        train(run, 1);
        Tool.Result result = Tool.run("train", "--resume", "--out", run.toString(), "--discount", "0.9");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("started with discount 0.995, not 0.9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a number", "the format version"})
    void aDamagedCheckpointIsNamedSetAsideAndTheOneBeforeItUsed(String part) throws IOException {
        Path run = folder.resolve("run");
        train(run, 4);
        Path damaged = newest(run);
        byte[] bytes = Files.readAllBytes(damaged);
        String version = "\"pgkq_checkpoint\":\"";
        int at = part.equals("a number")
                ? bytes.length - 1000
                : new String(bytes, ISO_8859_1).indexOf(version) + version.length();
        bytes[at] ^= 1;
        Files.write(damaged, bytes);
        train(run, ITERATIONS, "--resume");
        assertThat(run.resolve("events.jsonl"))
                .content()
                .contains("damaged-checkpoint")
                .contains(damaged.toString());
        assertThat(damaged.resolveSibling(damaged.getFileName() + ".damaged")).exists();
        same(run, uninterrupted());
    }

    @Test
    void whenEveryCheckpointIsDamagedNothingIsOverwritten() throws IOException {
        Path run = folder.resolve("run");
        train(run, 2);
        for (Path checkpoint : checkpoints(run)) {
            Files.writeString(checkpoint, "garbage");
        }
        String metrics = Files.readString(run.resolve("metrics.csv"));
        for (int attempt = 0; attempt < 2; attempt++) {
            Tool.Result result = Tool.run(options(run, 4, "--resume"));
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err()).contains("every checkpoint in").containsPattern("is\\s+damaged");
            assertThat(run.resolve("metrics.csv")).hasContent(metrics);
        }
    }

    @Test
    void withMetricsButWithoutCheckpointsNothingIsStartedOver() throws IOException {
        Path run = folder.resolve("run");
        train(run, 3);
        for (Path checkpoint : checkpoints(run)) {
            Files.delete(checkpoint);
        }
        String metrics = Files.readString(run.resolve("metrics.csv"));
        Tool.Result result = Tool.run(options(run, 4, "--resume"));
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("has metrics but no checkpoint");
        assertThat(run.resolve("metrics.csv")).hasContent(metrics);
    }

    @Test
    void goingBackIsRefusedAndChangesNothing() throws IOException {
        Path run = folder.resolve("run");
        train(run, 3);
        String settings = Files.readString(run.resolve("config.yaml"));
        Tool.Result result = Tool.run(options(run, 2, "--resume"));
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("has 3 iterations already; --iterations 2 would be fewer");
        assertThat(run.resolve("config.yaml")).hasContent(settings);
        assertThat(train(run, 3, "--resume").out()).contains("already at iteration 3");
    }

    @Test
    void remainsOfAPowerCutAfterTheLastRowDoNotPreventResuming() throws IOException {
        Path run = folder.resolve("run");
        train(run, 3);
        Files.writeString(
                run.resolve("metrics.csv"), "\0\0\0\0\n4,half a row", java.nio.file.StandardOpenOption.APPEND);
        train(run, ITERATIONS, "--resume");
        same(run, uninterrupted());
    }

    @Test
    void removedRowsAreReported() throws IOException {
        Path run = folder.resolve("run");
        train(run, 3);
        List<String> rows = Files.readAllLines(run.resolve("metrics.csv"));
        Files.write(run.resolve("metrics.csv"), rows.subList(0, 3));
        train(run, 4, "--resume");
        assertThat(run.resolve("events.jsonl")).content().contains("has 2 rows for 3 iterations");
    }

    @Test
    void evaluatingChangesNothingEvenWhereACheckpointIsDamaged() throws IOException {
        Path run = folder.resolve("run");
        train(run, 3);
        Path damaged = newest(run);
        Files.writeString(damaged, "garbage");
        List<Path> before = checkpoints(run);
        Tool.Result result = Tool.run("evaluate", run.toString(), "--episodes", "2");
        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).contains("after iteration 2");
        assertThat(result.err()).contains("skipped a damaged checkpoint: " + damaged);
        assertThat(checkpoints(run)).isEqualTo(before);
    }

    @Test
    void aStartThatWasCutOffBeforeItsSettingsWereWrittenCanBeStartedAgain() throws IOException {
        Path run = Files.createDirectory(folder.resolve("run"));
        Files.createFile(run.resolve(".lock"));
        Files.createFile(run.resolve(".config.yaml.new"));
        train(run, 1);
    }

    @Test
    @Tag("slow")
    void killedAtAnyMomentAndResumedEqualsUninterrupted() throws IOException, InterruptedException {
        Path run = folder.resolve("killed");
        Path log = folder.resolve("log");
        // killed once it is past iterations 1, 3 and 4, whatever it is doing then
        for (int reached : new int[] {1, 3, 4}) {
            String[] options = Files.exists(run.resolve("config.yaml"))
                    ? options(run, ITERATIONS, "--resume")
                    : options(run, ITERATIONS);
            Process process = Tool.start(log, options);
            awaitRows(process, run, reached);
            process.destroyForcibly().waitFor();
        }
        train(run, ITERATIONS, "--resume");
        same(run, uninterrupted());
    }

    private static void awaitRows(Process process, Path run, int rows) throws IOException, InterruptedException {
        Path metrics = run.resolve("metrics.csv");
        while (process.isAlive()) {
            if (Files.exists(metrics) && Files.readAllLines(metrics).size() > rows) {
                return;
            }
            process.waitFor(1, TimeUnit.MILLISECONDS);
        }
    }

    /** SIGTERM counts like Ctrl-C. SIGINT is ignored by processes that a shell starts in the background, including tests. */
    @Test
    @Tag("slow")
    void aRequestToStopFinishesTheIterationSavesAndReportsHowToResume() throws IOException, InterruptedException {
        Path run = folder.resolve("interrupted");
        Path log = folder.resolve("log");
        Process process = Tool.start(log, options(run, 100_000));
        try {
            awaitRows(process, run, 1);
            process.destroy();
            assertThat(process.waitFor()).as(Files.readString(log)).isEqualTo(130);
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(log))
                .contains("finishing this iteration")
                .contains("stopped after iteration")
                .contains("pgkq train --resume --out " + run);
        int done = Metrics.read(run.resolve("metrics.csv")).size();
        assertThat(newest(run).toString()).endsWith(String.format("iteration-%06d.safetensors", done));
    }

    @Test
    void twoProcessesDoNotTrainInTheSameFolder() throws IOException, InterruptedException {
        Path run = folder.resolve("run");
        Process process = Tool.start(folder.resolve("log"), options(run, 100_000));
        try {
            awaitRows(process, run, 1);
            Tool.Result result = Tool.run(options(run, 100_000, "--resume"));
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err()).contains("another process is training in " + run);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void simulationsThatDivergeAreCountedAndReportedAndTrainingContinues() {
        Path run = folder.resolve("run");
        Tool.Result result = Tool.run(
                "train", "--env", "Exploding-v0", "--batch", "16", "--iterations", "2", "--out", run.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        Metrics metrics = Metrics.read(run.resolve("metrics.csv"));
        double[] diverged = metrics.column("diverged");
        double[] truncated = metrics.column("truncated");
        for (int i = 0; i < 2; i++) {
            assertThat(diverged[i]).isPositive();
            assertThat(diverged[i] + truncated[i]).isEqualTo(16);
        }
        assertThat(run.resolve("events.jsonl")).content().contains("\"diverged\"");
    }

    private Path trainOneStep(String name, String... more) {
        List<String> words = new ArrayList<>(List.of("train", "--env", "OneStep-v0", "--algo", "ppo-large"));
        words.addAll(List.of("--batch", "32", "--iterations", "3", "--out"));
        words.add(folder.resolve(name).toString());
        words.addAll(List.of(more));
        Tool.Result result = Tool.run(words.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isZero();
        return folder.resolve(name);
    }

    @Test
    void episodesOfOneStepAreLearnedFrom() {
        Path run = trainOneStep("run");
        assertThat(run.resolve("events.jsonl")).content().doesNotContain("warning");
        assertThat(Metrics.read(run.resolve("metrics.csv")).column("kl")).doesNotContain(0);
    }

    @Test
    void rewardsThatGiveNoGradientAreReportedOnce() {
        assertThat(trainOneStep("cancelled", "--estimator", "e2").resolve("events.jsonl"))
                .content()
                .containsOnlyOnce("gave no gradient")
                .contains("iteration 1: the rewards")
                .contains("use --estimator bootstrap");
        assertThat(trainOneStep("equal", "--reward", "exec:printf '{\"return\": 7}'", "--reward-per", "episode")
                        .resolve("events.jsonl"))
                .content()
                .containsOnlyOnce("gave no gradient")
                .contains("rewards seem to be equal");
    }

    /** A baseline that predicts equal rewards not quite exactly leaves a gradient, but there is nothing to learn. */
    @Test
    void equalRewardsAreReportedAfterThreeIterations() {
        Path run = folder.resolve("run");
        String reward = "exec:printf '{\"return\": 7}'";
        List<String> words = new ArrayList<>(
                List.of("train --env OneStep-v0 --algo ppo --targets raw --select 2 --iterations 4".split(" ")));
        words.addAll(List.of("--reward-per", "episode", "--reward", reward, "--out", run.toString()));
        assertThat(Tool.run(words.toArray(String[]::new)).exitCode()).isZero();
        assertThat(run.resolve("events.jsonl")).content().containsOnlyOnce("each of 3 iterations are equal");
    }

    @Test
    void evaluatingReportsMeanErrorAndHistogram() {
        Path run = folder.resolve("run");
        train(run, 1);
        Tool.Result result = Tool.run("evaluate", run.toString(), "--episodes", "20");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out())
                .contains("after iteration 1, mean action, 20 episodes")
                .contains("200.0 ± 0.0 steps; 0 terminated, 20 at the time limit")
                .contains("│");
        assertThat(Tool.run("evaluate", run.toString(), "--episodes", "20").out())
                .isEqualTo(result.out());
        assertThat(Tool.run("evaluate", run.toString(), "--episodes", "20", "--seed", "2")
                        .out())
                .isNotEqualTo(result.out());
    }
}
