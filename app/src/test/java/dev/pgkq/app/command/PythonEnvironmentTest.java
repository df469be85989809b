package dev.pgkq.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.app.trace.TraceReader;
import dev.pgkq.gym.TestPython;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Environments in Python in every command that has to do with tasks. */
class PythonEnvironmentTest {
    private final String python = TestPython.withGymnasium();

    @TempDir
    private Path folder = Path.of("");

    private Path trained(String name, int iterations, String... settings) {
        Path run = folder.resolve(name);
        List<String> args = new ArrayList<>(List.of("train", "--batch", "8", "--select", "4", "--out", run.toString()));
        args.addAll(List.of("--seed", "7", "--iterations", Integer.toString(iterations)));
        args.addAll(
                Files.exists(run)
                        ? List.of("--resume")
                        : List.of("--env", "gym:CartPole-v1", "--python", python, "--time-limit", "30"));
        args.addAll(Arrays.asList(settings));
        Tool.Result result = Tool.run(args.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isZero();
        return run;
    }

    @Test
    void aRunIsResumedAndEvaluatedWithTheSettingsItWasStartedWith() throws IOException {
        Path resumed = trained("resumed", 1, "--threads", "1");
        trained("resumed", 2, "--threads", "2");
        Path whole = trained("whole", 2, "--threads", "2");
        TrainingRunTest.same(resumed, whole);
        assertThat(Metrics.read(whole.resolve("metrics.csv")).column("return_mean")[0])
                .isBetween(5.0, 30.0);
        assertThat(Files.readString(whole.resolve("config.yaml")))
                .contains("gym:CartPole-v1", "time-limit: 30", "python: ");
        assertThat(whole.resolve("python.log")).exists();
        // replays show the state without the reward before it
        assertThat(TraceReader.of(whole).episode(2, 0).orElseThrow().stateSize())
                .isEqualTo(4);

        Tool.Result result = Tool.run("evaluate", whole.toString(), "--episodes", "3");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("gym:CartPole-v1");
    }

    @Test
    void anEnvironmentIsCheckedWithArgumentsForItsConstructor() {
        Tool.Result result = Tool.run(
                "envs",
                "--check",
                "gym:CartPole-v1",
                "--python",
                python,
                "--env-args",
                "{\"sutton_barto_reward\": true}");
        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        assertThat(result.out())
                .contains(
                        "gym:CartPole-v1: no error found (4 observations, 1 action of 2 categories, 4 state values, at most 500"
                                + " steps)");
    }

    @Test
    @Tag("slow")
    void aGridHasRunsInFoldersWithPlainNamesAndAReport() throws IOException {
        Path grid = folder.resolve("grid");
        String[] command = {
            "reproduce",
            "--tasks",
            "gym:CartPole-v1",
            "--bases",
            "ppo",
            "--variants",
            "small,kq",
            "--seeds",
            "1",
            "--iterations",
            "2",
            "--set",
            "batch=6",
            "--set",
            "select=2",
            "--python",
            python,
            "--time-limit",
            "20",
            "--env-args",
            "{\"sutton_barto_reward\": true}",
            "--out",
            grid.toString()
        };
        Tool.Result result = Tool.run(command);
        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        Path run = grid.resolve("gym-CartPole-v1/ppo-kq/seed1");
        assertThat(Files.readString(run.resolve("config.yaml")))
                .contains("gym:CartPole-v1", "time-limit: 20", "sutton_barto_reward", python);
        // with this argument a step costs nothing until the pole falls, which costs 1
        assertThat(DoubleStream.of(Metrics.read(run.resolve("metrics.csv")).column("return_mean")))
                .allMatch(mean -> -1 <= mean && mean <= 0);
        assertThat(Files.readString(grid.resolve("summary.csv"))).contains("gym:CartPole-v1");
        assertThat(Files.readString(grid.resolve("report.html"))).contains("--set time-limit=20");
        assertThat(Tool.run(command).out()).contains("2 finished already");
        assertThat(Tool.run(
                                "plot",
                                grid.toString(),
                                "--out",
                                folder.resolve("plot").toString())
                        .exitCode())
                .isZero();
    }

    private static void refused(String words, String... args) {
        Tool.Result result = Tool.run(args);
        assertThat(result.exitCode()).as(result.out() + result.err()).isEqualTo(2);
        assertThat(result.err()).startsWith("pgkq: ").contains(words).doesNotContain("Exception", "\tat ");
    }

    @Test
    void whatCannotBeIsSaidBeforeAnythingIsLeftBehind() {
        Path run = folder.resolve("run");
        refused(
                "--python PATH selects the interpreter",
                "train",
                "--env",
                "gym:CartPole-v1",
                "--python",
                "/nowhere/python",
                "--out",
                run.toString());
        refused(
                "there is no module no_such_module",
                "train",
                "--env",
                "python:no_such_module:Env",
                "--python",
                python,
                "--out",
                run.toString());
        refused(
                "--time-limit is for environments in Python, and CartPole-v1 is none",
                "reproduce",
                "--tasks",
                "gym:CartPole-v1,CartPole-v1",
                "--time-limit",
                "20",
                "--out",
                run.toString());
        refused("--env-args needs a JSON object", "train", "--env", "gym:CartPole-v1", "--env-args", "[1]");
        refused(
                "--time-limit is for environments in Python, and Pendulum-v1 is none",
                "train",
                "--env",
                "Pendulum-v1",
                "--time-limit",
                "3");
        refused(
                "environments in Python are sampled on this machine only",
                "train",
                "--env",
                "gym:CartPole-v1",
                "--cluster",
                "local[2]");
        assertThat(run).doesNotExist();
    }
}
