package dev.pgkq.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MlpTest {
    private static final int[] SIZES = {5, 19, 11, 3};
    private static final int ROWS = 7;

    private final float[] parameters = gaussians(new Mlp(SIZES).parameterCount(), 1, 0.5);
    private final float[] inputs = gaussians(ROWS * SIZES[0], 2, 1);

    private Mlp.Workspace workspace(Mlp network) {
        Mlp.Workspace workspace = network.new Workspace(ROWS);
        System.arraycopy(inputs, 0, workspace.input(), 0, inputs.length);
        return workspace;
    }

    private double[] reference(Activation activation, double[] theta, int row) {
        return ReferenceNetwork.forward(
                activation == Activation.RELU ? sum -> Math.max(0, sum) : Math::tanh,
                theta,
                ReferenceNetwork.row(inputs, row, SIZES[0]),
                SIZES);
    }

    @ParameterizedTest
    @CsvSource({"RELU, false", "RELU, true", "TANH, false", "TANH, true"})
    void bothForwardPassesGiveWhatTheDefinitionGives(Activation activation, boolean rowwise) {
        Mlp network = new Mlp(activation, SIZES);
        Mlp.Workspace workspace = workspace(network);
        if (rowwise) {
            network.forwardRowwise(parameters, workspace, ROWS);
        } else {
            network.forward(parameters, workspace, ROWS);
        }
        for (int r = 0; r < ROWS; r++) {
            double[] expected = reference(activation, ReferenceNetwork.toDouble(parameters), r);
            for (int j = 0; j < 3; j++) {
                assertThat((double) workspace.output()[r * 3 + j]).isCloseTo(expected[j], offset(1e-5));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void gradientMatchesFiniteDifferences(Activation activation) {
        Mlp network = new Mlp(activation, SIZES);
        Mlp.Workspace workspace = workspace(network);
        float[] direction = gaussians(ROWS * 3, 3, 1);
        network.forward(parameters, workspace, ROWS);
        System.arraycopy(direction, 0, workspace.outputGradient(), 0, direction.length);
        float[] gradient = new float[network.parameterCount()];
        network.backward(parameters, workspace, ROWS, gradient);
        FiniteDifferences.check(
                gradient,
                ReferenceNetwork.toDouble(parameters),
                theta -> {
                    double loss = 0;
                    for (int r = 0; r < ROWS; r++) {
                        double[] out = reference(activation, theta, r);
                        for (int j = 0; j < 3; j++) {
                            loss += direction[r * 3 + j] * out[j];
                        }
                    }
                    return loss;
                },
                300,
                40);
    }

    @ParameterizedTest
    @EnumSource
    void startValuesHaveTheRightBounds(Activation activation) {
        Mlp network = new Mlp(activation, SIZES);
        float[] start = new float[network.parameterCount()];
        network.initialize(start, RandomStream.of(1, Purpose.CHECK));
        int at = 0;
        double spread = activation == Activation.RELU ? 6 : 3;
        double[] bounds = {Math.sqrt(spread / 5), Math.sqrt(spread / 19), 3e-3};
        for (int l = 1; l < SIZES.length; l++) {
            double largest = 0;
            for (int i = 0; i < SIZES[l - 1] * SIZES[l]; i++) {
                largest = Math.max(largest, Math.abs(start[at++]));
            }
            assertThat(largest).isLessThanOrEqualTo(bounds[l - 1]).isGreaterThan(0.8 * bounds[l - 1]);
            for (int j = 0; j < SIZES[l]; j++) {
                assertThat(start[at++]).isZero();
            }
        }
    }

    static float[] gaussians(int length, long key, double scale) {
        RandomStream random = RandomStream.of(9, Purpose.CHECK, key);
        float[] values = new float[length];
        for (int i = 0; i < length; i++) {
            values[i] = (float) (scale * random.nextGaussian());
        }
        return values;
    }
}
