package dev.pgkq.linalg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** SIMD and its plain twin must agree to the last bit, on sizes that fill vectors and sizes that do not. */
class SimdElementwiseTest {
    private static final int[] SIZES = {1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 33, 100, 200};
    private static final int[] ROWS = {1, 2, 3, 4, 5, 8, 9};

    private final Elementwise simd = new SimdElementwise();
    private final Elementwise plain = new PlainElementwise();

    @Test
    void addBiasAgrees() {
        for (int rows : ROWS) {
            for (int columns : SIZES) {
                for (boolean relu : new boolean[] {false, true}) {
                    float[] bias = values(columns + 5, 1);
                    agree(rows * columns, (loops, z) -> loops.addBias(z, rows, columns, bias, 5, relu));
                }
            }
        }
    }

    @Test
    void reluBackwardAgrees() {
        for (int length : SIZES) {
            float[] activation = values(length, 2);
            for (int i = 0; i < length; i += 2) {
                activation[i] = 0;
            }
            agree(length, (loops, gradient) -> loops.reluBackward(gradient, activation, length));
        }
    }

    @Test
    void columnSumsAgree() {
        for (int rows : ROWS) {
            for (int columns : SIZES) {
                float[] matrix = values(rows * columns, 3);
                agree(columns + 3, (loops, sums) -> loops.addColumnSums(matrix, rows, columns, sums, 3));
            }
        }
    }

    @Test
    void tanhAgrees() {
        for (int length : SIZES) {
            agree(length, (loops, values) -> {
                values[0] = Float.NaN;
                values[length - 1] *= 30;
                loops.tanh(values, length);
            });
        }
    }

    @Test
    void squaredNormAgrees() {
        for (int length : SIZES) {
            float[] values = values(length, 11);
            assertThat(simd.squaredNorm(values)).isEqualTo(plain.squaredNorm(values));
        }
    }

    @Test
    void tanhIsWithinOneUnitInTheLastPlaceOfTheTruth() {
        for (double x = 1e-12; x < 50; x *= 1.003) {
            float[] both = {(float) x, (float) -x};
            double truth = StrictMath.tanh((float) x);
            plain.tanh(both, 2);
            assertThat(Math.abs(both[0] - truth)).as("tanh " + x).isLessThanOrEqualTo(Math.ulp((float) truth));
            assertThat(both[1]).isEqualTo(-both[0]);
        }
    }

    @Test
    void affineRowsAgrees() {
        for (int rows : ROWS) {
            for (int inputs : SIZES) {
                for (int outputs : SIZES) {
                    float[] x = values(rows * inputs, 4);
                    float[] parameters = values((inputs + 1) * outputs + 7, 5);
                    agree(rows * outputs, (loops, y) -> {
                        loops.affineRows(x, rows, inputs, outputs, parameters, 7, outputs % 2 == 0, y);
                    });
                }
            }
        }
    }

    @Test
    void aRowOfAffineRowsDoesNotDependOnTheOthers() {
        int inputs = 17;
        int outputs = 203;
        float[] x = values(9 * inputs, 6);
        float[] parameters = values((inputs + 1) * outputs, 7);
        float[] together = new float[9 * outputs];
        simd.affineRows(x, 9, inputs, outputs, parameters, 0, false, together);
        for (int r = 0; r < 9; r++) {
            float[] alone = new float[outputs];
            simd.affineRows(
                    java.util.Arrays.copyOfRange(x, r * inputs, (r + 1) * inputs),
                    1,
                    inputs,
                    outputs,
                    parameters,
                    0,
                    false,
                    alone);
            assertThat(alone).isEqualTo(java.util.Arrays.copyOfRange(together, r * outputs, (r + 1) * outputs));
        }
    }

    @Test
    void additionAgrees() {
        for (int length : SIZES) {
            float[] from = values(length, 8);
            agree(length, (loops, into) -> loops.add(into, from, length));
        }
    }

    @Test
    void adamAgrees() {
        for (int length : SIZES) {
            float[] gradient = values(length, 9);
            agree(3 * length, (loops, all) -> {
                float[] parameters = java.util.Arrays.copyOf(all, length);
                float[] m = java.util.Arrays.copyOfRange(all, length, 2 * length);
                float[] v = new float[length];
                for (int step = 0; step < 3; step++) {
                    loops.adam(parameters, gradient, m, v, 3e-4f, 0.9f, 0.999f, 1.5f, 1e-8f);
                }
                System.arraycopy(parameters, 0, all, 0, length);
                System.arraycopy(m, 0, all, length, length);
                System.arraycopy(v, 0, all, 2 * length, length);
            });
        }
    }

    private void agree(int length, BiConsumer<Elementwise, float[]> operation) {
        float[] fromSimd = values(length, 10);
        float[] fromPlain = fromSimd.clone();
        operation.accept(simd, fromSimd);
        operation.accept(plain, fromPlain);
        assertThat(fromSimd).isEqualTo(fromPlain);
    }

    private static float[] values(int length, long key) {
        RandomStream random = RandomStream.of(2, Purpose.CHECK, key);
        float[] values = new float[length];
        for (int i = 0; i < length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }
}
