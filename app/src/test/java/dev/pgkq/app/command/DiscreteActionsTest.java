package dev.pgkq.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.run.Metrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks with discrete actions in every command that has to do with actions. */
class DiscreteActionsTest {
    @TempDir
    private Path folder = Path.of("");

    private Path trained(String name, int iterations, String... settings) {
        Path run = folder.resolve(name);
        List<String> args = new ArrayList<>(List.of("train", "--env", "CartPole-v1", "--batch", "8"));
        args.addAll(List.of("--epochs", "2", "--value-epochs", "2"));
        args.addAll(List.of("--seed", "7", "--iterations", Integer.toString(iterations), "--out", run.toString()));
        args.addAll(Arrays.asList(settings));
        if (Files.exists(run)) {
            args.add("--resume");
        }
        Tool.Result result = Tool.run(args.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isZero();
        return run;
    }

    private static Tool.Result refused(String words, String... args) {
        Tool.Result result = Tool.run(args);
        assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
        assertThat(result.err()).contains("pgkq: ", words).doesNotContain("Exception");
        return result;
    }

    @ParameterizedTest
    @ValueSource(strings = {"vpg-kq", "ppo-kq-bayes"})
    void aRunThatWasStoppedAndResumedEqualsUninterruptedOnAnyNumberOfThreads(String algorithm) {
        Path resumed = trained("resumed", 1, "--algo", algorithm, "--select", "4", "--threads", "1");
        trained("resumed", 3, "--algo", algorithm, "--select", "4", "--threads", "3");
        Path whole = trained("whole", 3, "--algo", algorithm, "--select", "4", "--threads", "2");
        TrainingRunTest.same(resumed, whole);
        double[] entropy = Metrics.read(whole.resolve("metrics.csv")).column("entropy");
        assertThat(entropy[0]).isBetween(0.5 * Math.log(2), Math.log(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sparse", "rating"})
    void rewardsDerivedFromTheTasksOwn(String reward) {
        trained("run", 1, "--algo", "ppo-large", "--reward", reward);
    }

    @Test
    void evaluatingTakesTheMostProbableAction() {
        Path run = trained("run", 1, "--algo", "ppo-large");
        Tool.Result result = Tool.run("evaluate", run.toString(), "--episodes", "5");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("after iteration 1, most probable action, 5 episodes");
    }

    @Test
    void aPolicyForOtherActionsIsRefused() throws IOException {
        Path run = trained("run", 1, "--algo", "ppo-large");
        Path config = run.resolve("config.yaml");
        Files.writeString(config, Files.readString(config).replace("CartPole-v1", "Pendulum-v1"));
        refused("its distribution is categorical(2), that of the task gaussian", "evaluate", run.toString());
        refused(
                "its distribution is categorical(2), that of the task gaussian",
                "train",
                "--resume",
                "--iterations",
                "2",
                "--out",
                run.toString());
    }

    @Test
    void theCheckerAndTheListKnowThem() {
        Tool.Result checked = Tool.run("envs", "--check", "Acrobot-v1");
        assertThat(checked.exitCode()).as(checked.err()).isZero();
        assertThat(checked.out())
                .contains(
                        "no error found (6 observations, 1 action of 3 categories, 4 state values, at most 500 steps)");
        assertThat(Tool.run("envs").out()).contains("Acrobot-v1", "CartPole-v1");
    }

    /** Five episodes whose last actions differ, with the numbers of categories as actions. */
    private Path episodes(String lastAction) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            text.append("{\"observations\": [[0, ").append(i);
            text.append(", 0, 0], [1, 0, 0, 0]], \"actions\": [[");
            text.append(i % 2).append("], [").append(lastAction).append("]]}\n");
        }
        return Files.writeString(folder.resolve("episodes.jsonl"), text);
    }

    @Test
    void loggedActionsOfARunsTaskAreCategories() throws IOException {
        Path run = trained("run", 2, "--algo", "ppo-kq", "--select", "4");
        Tool.Result result = Tool.run("select", episodes("1").toString(), "--n", "2", "--run", run.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("4 observations and 1 action", "kernel: learned by " + run);
        refused(
                "episode 0, step 1: action 0 is 2.0, not a whole number from 0 to 1",
                "select",
                episodes("2").toString(),
                "--n",
                "2",
                "--run",
                run.toString());
        refused(
                "--categories cannot be combined with --run",
                "select",
                episodes("1").toString(),
                "--categories",
                "2",
                "--run",
                run.toString());
    }

    /** As quantities, action 2 is twice as far from 0 as 1 is; as categories, it is as far. */
    @Test
    void loggedActionsCanBeCategories() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 4; i++) {
            text.append("{\"observations\": [[0]], \"actions\": [[").append(i).append("]]}\n");
        }
        Path file = Files.writeString(folder.resolve("four.jsonl"), text);
        String[] args = {"select", file.toString(), "--n", "3", "--quadrature", "pursuit", "--inputs", "raw"};
        String[] more = Arrays.copyOf(args, args.length + 2);
        more[args.length] = "--categories";
        more[args.length + 1] = "4";
        assertThat(Tool.run(args).out()).contains("length scale 1.5");
        assertThat(Tool.run(more).out()).contains("length scale 1.41");
        more[args.length + 1] = "4,2";
        refused("--categories names 2 of the 1 numbers of an action", more);
        more[args.length + 1] = "1";
        refused("--categories: action 0 needs at least two categories, got 1", more);
    }
}
