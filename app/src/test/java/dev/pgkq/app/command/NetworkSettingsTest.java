package dev.pgkq.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.state.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hidden layers, their activation, and the schedule of the learning rate. */
class NetworkSettingsTest {
    @TempDir
    private Path folder = Path.of("");

    private static Tool.Result train(Path run, String... settings) {
        List<String> args = new ArrayList<>(List.of("train", "--env", "Pendulum-v1", "--algo", "ppo-random"));
        args.addAll(List.of("--batch", "6", "--select", "3", "--iterations", "3", "--out", run.toString()));
        args.addAll(Arrays.asList(settings));
        return Tool.run(args.toArray(String[]::new));
    }

    private static Path trained(Path run, String... settings) {
        Tool.Result result = train(run, settings);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return run;
    }

    private static Snapshot newest(Path run) {
        return new RunDirectory(run)
                .checkpoints()
                .newest()
                .orElseThrow()
                .saved()
                .snapshot();
    }

    @Test
    void smallNetworksWithTanhAreTrainedAndEvaluated() throws IOException {
        Path run = trained(folder.resolve("run"), "--hidden", "16,8", "--activation", "tanh");
        assertThat(newest(run).attributes())
                .containsEntry("policy/sizes", "3,16,8,1")
                .containsEntry("policy/hidden_activation", "tanh")
                .containsEntry("baseline/sizes", "3,16,8,1")
                .containsEntry("baseline/hidden_activation", "tanh");
        Path config = run.resolve("config.yaml");
        assertThat(config).content().contains("hidden: 16,8\n", "activation: tanh\n");
        assertThat(Tool.run("evaluate", run.toString(), "--episodes", "2").exitCode())
                .isZero();
        Path again = folder.resolve("again");
        assertThat(Tool.run("train", "--config", config.toString(), "--out", again.toString())
                        .exitCode())
                .isZero();
        TrainingRunTest.same(again, run);
        Files.writeString(config, Files.readString(config).replace("activation: tanh", "activation: relu"));
        Tool.Result other = Tool.run("evaluate", run.toString());
        assertThat(other.exitCode()).isEqualTo(2);
        assertThat(other.err()).contains("the saved network 'policy' has the activation tanh, not relu");
    }

    @Test
    void normalisationOfObservationsIsResumedAndEvaluated() throws IOException {
        Path resumed = folder.resolve("resumed");
        train(resumed, "--normalize-observations", "--max-evaluations", "3");
        assertThat(newest(resumed).iteration()).isEqualTo(1);
        trained(resumed, "--normalize-observations", "--max-evaluations", "100", "--resume");
        Path whole = trained(folder.resolve("whole"), "--normalize-observations");
        TrainingRunTest.same(resumed, whole);
        assertThat(newest(resumed).tensor("policy/observation/deviation").values())
                .isEqualTo(newest(whole).tensor("policy/observation/deviation").values());
        assertThat(newest(whole).counter("policy/observation/rows")).isEqualTo(3 * 6 * 200);
        String evaluated =
                Tool.run("evaluate", whole.toString(), "--episodes", "3").out();
        assertThat(evaluated)
                .contains("after iteration 3")
                .isEqualTo(Tool.run("evaluate", resumed.toString(), "--episodes", "3")
                        .out());
        Path config = whole.resolve("config.yaml");
        Files.writeString(
                config,
                Files.readString(config).replace("normalize-observations: true", "normalize-observations: false"));
        Tool.Result other = Tool.run("evaluate", whole.toString());
        assertThat(other.exitCode()).isEqualTo(2);
        assertThat(other.err()).contains("the saved policy normalises observations");
    }

    /** A run that its budget stopped after one iteration has the schedule of all three. */
    @Test
    void aLinearScheduleGoesOnWhereTheRunStopped() {
        Path resumed = folder.resolve("resumed");
        train(resumed, "--learning-rate-schedule", "linear", "--max-evaluations", "3");
        assertThat(newest(resumed).iteration()).isEqualTo(1);
        trained(resumed, "--learning-rate-schedule", "linear", "--max-evaluations", "100", "--resume");
        Path whole = trained(folder.resolve("whole"), "--learning-rate-schedule", "linear");
        Path constant = trained(folder.resolve("constant"));
        float[] expected = newest(whole).tensor("policy/log_std").values();
        assertThat(newest(resumed).tensor("policy/log_std").values()).isEqualTo(expected);
        assertThat(newest(constant).tensor("policy/log_std").values()).isNotEqualTo(expected);
    }
}
