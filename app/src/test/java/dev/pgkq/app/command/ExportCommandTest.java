package dev.pgkq.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.export.OnnxModels;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.rewards.files.Safetensors;
import dev.pgkq.state.Snapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ExportCommandTest {
    private static final Pattern RETURN = Pattern.compile("return +([-0-9.,]+) ± ([0-9.]+)");

    @TempDir
    private Path folder = Path.of("");

    private Path trained(String task, int iterations, String... settings) {
        Path run = folder.resolve(task);
        String[] args = {"train", "--env", task, "--iterations", Integer.toString(iterations), "--out", run.toString()};
        String[] all = Arrays.copyOf(args, args.length + settings.length);
        System.arraycopy(settings, 0, all, args.length, settings.length);
        done(all);
        return run;
    }

    private static Tool.Result done(String... args) {
        Tool.Result result = Tool.run(args);
        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        return result;
    }

    @Test
    void aModelNamesItsRunAndASafetensorsFileHasThePolicyAlone() throws IOException {
        Path run = trained("Pendulum-v1", 2, "--algo", "ppo-random", "--batch", "4", "--select", "2");
        Path onnx = folder.resolve("policy.onnx");
        Path tensors = folder.resolve("policy.safetensors");

        Tool.Result result =
                done("export", run.toString(), "--onnx", onnx.toString(), "--safetensors", tensors.toString());

        assertThat(result.out())
                .contains("ppo-random on Pendulum-v1 after iteration 2: " + onnx)
                .contains(tensors.toString());
        Snapshot saved = new RunDirectory(run)
                .checkpoints()
                .newest()
                .orElseThrow()
                .saved()
                .snapshot();
        Safetensors.Contents exported = Safetensors.read(tensors);
        assertThat(exported.tensors())
                .containsOnlyKeys(
                        "policy/layer0/weight",
                        "policy/layer0/bias",
                        "policy/layer1/weight",
                        "policy/layer1/bias",
                        "policy/layer2/weight",
                        "policy/layer2/bias",
                        "policy/log_std");
        exported.tensors()
                .forEach((name, tensor) ->
                        assertThat(tensor.values()).isEqualTo(saved.tensor(name).values()));
        assertThat(exported.metadata())
                .containsEntry("task", "Pendulum-v1")
                .containsEntry("algorithm", "ppo-random")
                .containsEntry("iteration", "2")
                .containsEntry("time_limit", "200")
                .containsEntry("policy/sizes", "3,200,100,1")
                .containsEntry("policy/action_high", "2.0")
                .containsKey("pgkq_version");
        JsonNode ran = OnnxModels.run(onnx, new float[] {1, 0, 0, 0, 1, 0}, folder);
        exported.metadata()
                .forEach((key, value) ->
                        assertThat(ran.path("metadata").path(key).asString()).isEqualTo(value));
    }

    @Test
    void theExamplePlaysAModelInGymnasiumAsEvaluateDoesHere() throws IOException {
        Path run = trained("CartPole-v1", 4, "--algo", "ppo-large", "--batch", "32");
        Path onnx = folder.resolve("policy.onnx");
        done("export", run.toString(), "--onnx", onnx.toString());

        MatchResult here = found(done("evaluate", run.toString()).out());
        Path example = Path.of("..", "examples", "python", "play.py");
        String played = OnnxModels.python(folder, example.toString(), onnx.toString(), "100");

        assertThat(played).contains("over 100 episodes of CartPole-v1");
        MatchResult there = found(played);
        double error = Math.hypot(Double.parseDouble(here.group(2)), Double.parseDouble(there.group(2)));
        double difference = Double.parseDouble(here.group(1)) - Double.parseDouble(there.group(1));
        assertThat(Math.abs(difference))
                .as(here.group() + " and " + there.group())
                .isLessThan(2 * error);
        // a policy that ignores what it sees falls after ten steps
        assertThat(Double.parseDouble(there.group(1))).isGreaterThan(20);
    }

    @Test
    void theExampleRoundsActionsOfSpacesOfWholeNumbersAsTrainingDoes() throws IOException {
        Path run = trained("Pendulum-v1", 1, "--algo", "ppo-random", "--batch", "4", "--select", "2");
        Path onnx = folder.resolve("policy.onnx");
        done("export", run.toString(), "--onnx", onnx.toString());
        Path script = Path.of("src", "test", "resources", "dev", "pgkq", "app", "export", "whole_numbers.py");
        Path example = Path.of("..", "examples", "python", "play.py");

        List<String> printed = OnnxModels.python(folder, script.toString(), example.toString(), onnx.toString())
                .lines()
                .toList();

        assertThat(after("received ", printed))
                .isEqualTo(after("rounded ", printed))
                .isNotEqualTo(after("cut ", printed));
    }

    private static String after(String name, List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .findFirst()
                .orElseThrow()
                .substring(name.length());
    }

    private static MatchResult found(String text) {
        return RETURN.matcher(text).results().findFirst().orElseThrow(() -> new AssertionError(text));
    }

    @Test
    void whatCannotBeExportedIsSaid() {
        Tool.Result nothing = Tool.run("export", folder.toString());
        assertThat(nothing.exitCode()).isEqualTo(2);
        assertThat(nothing.err()).contains("give --onnx FILE, --safetensors FILE or both");
        Tool.Result empty = Tool.run("export", folder.toString(), "--onnx", "policy.onnx");
        assertThat(empty.exitCode()).isEqualTo(2);
        assertThat(empty.err()).contains("is not a run directory");
    }
}
