package dev.pgkq.app.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.env.ActionSpace;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.nn.Activation;
import dev.pgkq.nn.HiddenLayers;
import dev.pgkq.nn.InputScale;
import dev.pgkq.policy.Policy;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** ONNX Runtime computes what Java computes. */
class OnnxPolicyTest {
    private static final int INPUTS = 7;
    private static final int ROWS = 1000;
    private static final Offset<Double> TOLERANCE = Offset.offset(1e-6);
    private static final HiddenLayers TANH = new HiddenLayers(List.of(64, 64), Activation.TANH);

    @TempDir
    private Path folder = Path.of("");

    private static Stream<Arguments> spaces() {
        ActionSpace box = new ActionSpace.Box(new float[] {-2, 0, -0.4f}, new float[] {2, 1, 0.1f});
        ActionSpace choice = new ActionSpace.Discrete(4);
        ActionSpace choices = new ActionSpace.Discrete(3, 2, 4);
        return Stream.of(
                Arguments.of(box, HiddenLayers.STANDARD, new InputScale(INPUTS)),
                Arguments.of(box, TANH, badlyScaled()),
                Arguments.of(choice, HiddenLayers.STANDARD, InputScale.NONE),
                Arguments.of(choices, TANH, badlyScaled()));
    }

    /** One input has large deviations, one small ones, and one none at all. */
    private static InputScale badlyScaled() {
        InputScale scale = new InputScale(INPUTS);
        scale.add(new float[] {1, 10, 0.01f, 3, 5, 0, 1, -1, -10, -0.01f, 1, 5, 2, -2, 0, 0, 0, 2, 5, 1, 4});
        return scale;
    }

    private static Policy policy(EnvironmentSpec spec, HiddenLayers hidden, InputScale scale) {
        Policy policy = Policy.initialize(spec, scale, hidden, 3);
        RandomStream random = RandomStream.of(4, Purpose.POLICY_INIT);
        // as far from the start values as after training: the last layer starts near 0
        for (int i = 0; i < policy.parameters().length; i++) {
            policy.parameters()[i] += (float) (0.05 * random.nextGaussian());
        }
        return policy;
    }

    @ParameterizedTest
    @MethodSource("spaces")
    void outputsEqualThoseOfJava(ActionSpace actions, HiddenLayers hidden, InputScale scale) throws IOException {
        EnvironmentSpec spec = new EnvironmentSpec(INPUTS, actions, 1, 1);
        Policy policy = policy(spec, hidden, scale);
        Policy.Batch batch = policy.batch(ROWS);
        RandomStream random = RandomStream.of(5, Purpose.RESET);
        for (int i = 0; i < batch.observations().length; i++) {
            batch.observations()[i] = (float) random.nextGaussian();
        }
        Path model = folder.resolve("policy.onnx");
        ExportedPolicy.of(policy, actions, Map.of("task", "Some-v0"), "1.2").writeOnnx(model);

        JsonNode ran = OnnxModels.run(model, batch.observations(), folder);

        policy.act(batch, ROWS);
        float[] played = new float[spec.actionSize()];
        double[] action = OnnxModels.output(ran, "action");
        assertThat(action).hasSize(ROWS * played.length);
        for (int r = 0; r < ROWS; r++) {
            spec.toEnvironment(batch.actions(), r * spec.encodedActionSize(), played);
            for (int i = 0; i < played.length; i++) {
                assertThat(action[r * played.length + i]).isCloseTo(played[i], TOLERANCE);
            }
        }
        boolean isDiscrete = actions instanceof ActionSpace.Discrete;
        same(OnnxModels.output(ran, isDiscrete ? "log_probabilities" : "mean"), batch.outputs());
        if (!isDiscrete) {
            int free = policy.parameters().length - spec.actionSize();
            double[] logs = OnnxModels.output(ran, "log_std");
            assertThat(logs).hasSize(ROWS * spec.actionSize());
            for (int i = 0; i < logs.length; i++) {
                assertThat(logs[i]).isEqualTo(policy.parameters()[free + i % spec.actionSize()]);
            }
        }
        assertThat(ran.path("producer").asString()).isEqualTo("pgkq");
        assertThat(ran.path("metadata").path("task").asString()).isEqualTo("Some-v0");
        assertThat(ran.path("metadata").path("pgkq_version").asString()).isEqualTo("1.2");
    }

    private static void same(double[] computed, float[] expected) {
        assertThat(computed).hasSize(expected.length);
        for (int i = 0; i < computed.length; i++) {
            assertThat(computed[i]).as("value %d", i).isCloseTo(expected[i], TOLERANCE);
        }
    }
}
