package dev.pgkq.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.app.training.TrainedRun;
import dev.pgkq.env.Task;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.parallel.Workers;
import dev.pgkq.reward.EnvironmentReward;
import dev.pgkq.rewards.files.Safetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Policies that are tried while a run trains. */
class EvaluateEveryTest {
    private static final String[] TRIALS = {"--evaluate-every", "2", "--evaluate-episodes", "3"};

    @TempDir
    private Path folder = Path.of("");

    private static void train(Path run, String... settings) {
        List<String> args = new ArrayList<>(List.of("train", "--env", "Pendulum-v1", "--algo", "ppo-random"));
        args.addAll(List.of("--batch", "6", "--select", "3", "--iterations", "6", "--seed", "5"));
        args.addAll(List.of("--out", run.toString()));
        args.addAll(Arrays.asList(settings));
        Tool.Result result = Tool.run(args.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isZero();
    }

    private static String[] with(String[] settings, String... more) {
        String[] all = Arrays.copyOf(settings, settings.length + more.length);
        System.arraycopy(more, 0, all, settings.length, more.length);
        return all;
    }

    private static void refused(String words, String... args) {
        Tool.Result result = Tool.run(args);
        assertThat(result.exitCode()).as(result.out() + result.err()).isEqualTo(2);
        assertThat(result.err().replaceAll("\\s+", " ")).contains(words);
    }

    /** The iterations are complete all the same, and repeating them would repeat this. */
    @Test
    void aTrialThatFailsIsReportedAndTrainingGoesOn() throws IOException {
        Path run = folder.resolve("run");
        train(run, TRIALS);
        Files.delete(run.resolve("checkpoint/iteration-000006.safetensors"));
        Files.delete(run.resolve("best.safetensors"));
        Files.createDirectory(run.resolve("best.safetensors"));

        train(run, with(TRIALS, "--resume"));

        double[] means = Metrics.read(run.resolve("metrics.csv")).column("evaluation_return");
        assertThat(means).hasSize(6);
        assertThat(means[3]).isNegative();
        assertThat(means[5]).isNaN();
        assertThat(Files.readString(run.resolve("events.jsonl")))
                .contains("the policy of iteration 6 was not evaluated");
    }

    @Test
    void theBestPolicyIsKeptAndTrainingIsAsWithoutTrials() throws IOException {
        Path run = folder.resolve("run");
        train(run, TRIALS);
        Path plain = folder.resolve("plain");
        train(plain);

        double[] means = Metrics.read(run.resolve("metrics.csv")).column("evaluation_return");
        assertThat(means[0]).isNaN();
        int best = 0;
        for (int i : new int[] {2, 4, 6}) {
            assertThat(means[i - 1]).isNegative();
            best = best == 0 || means[i - 1] > means[best - 1] ? i : best;
        }
        assertThat(Files.readString(run.resolve("events.jsonl"))).contains("\"event\":\"evaluated\"");
        TrainedRun kept = TrainedRun.openBest(run);
        assertThat(kept.snapshot().iteration()).isEqualTo(best);
        assertThat(played(kept, best)).isEqualTo(means[best - 1]);

        assertThat(Metrics.read(plain.resolve("metrics.csv")).column("evaluation_return"))
                .containsOnly(Double.NaN);
        assertThat(plain.resolve("best.safetensors")).doesNotExist();
        assertThat(Metrics.read(plain.resolve("metrics.csv")).column("return_mean"))
                .isEqualTo(Metrics.read(run.resolve("metrics.csv")).column("return_mean"));
        Path last = Path.of("checkpoint", "iteration-000006.safetensors");
        assertThat(plain.resolve(last)).hasSameBinaryContentAs(run.resolve(last));

        assertThat(Tool.run("evaluate", run.toString(), "--best", "--episodes", "2")
                        .out())
                .contains("after iteration " + best);
        Path exported = folder.resolve("best.safetensors");
        assertThat(Tool.run("export", run.toString(), "--best", "--safetensors", exported.toString())
                        .exitCode())
                .isZero();
        assertThat(Safetensors.read(exported).metadata()).containsEntry("iteration", Integer.toString(best));
        refused("was trained without --evaluate-every", "evaluate", plain.toString(), "--best");
    }

    /** The mean return of what was kept, from the start states of its trial. */
    private static double played(TrainedRun kept, int iteration) {
        Task task = kept.task();
        try (Workers workers = new Workers(1);
                LocalRollouts rollouts = new LocalRollouts(task, 5, RolloutMode.EVALUATION, workers);
                EnvironmentReward reward = new EnvironmentReward(task)) {
            return reward.evaluate(rollouts.sample(kept.policy(), iteration, 3)).stream()
                    .mapToDouble(rewards -> rewards.total())
                    .average()
                    .orElseThrow();
        }
    }

    @Test
    void aResumedRunKeepsTheSamePolicy() {
        Path resumed = folder.resolve("resumed");
        train(resumed, with(TRIALS, "--max-evaluations", "9", "--threads", "1"));
        assertThat(TrainedRun.openBest(resumed).snapshot().iteration()).isEqualTo(2);
        train(resumed, with(TRIALS, "--max-evaluations", "100", "--threads", "3", "--resume"));
        Path whole = folder.resolve("whole");
        train(whole, TRIALS);
        TrainingRunTest.same(resumed, whole);
        assertThat(resumed.resolve("best.safetensors")).hasSameBinaryContentAs(whole.resolve("best.safetensors"));
    }

    @Test
    void rewardsFromOutsideAreNotSpentOnTrials() {
        refused(
                "--evaluate-every 2 cannot be combined with external rewards",
                "train",
                "--env",
                "Pendulum-v1",
                "--reward",
                "exec:true",
                "--evaluate-every",
                "2");
    }
}
