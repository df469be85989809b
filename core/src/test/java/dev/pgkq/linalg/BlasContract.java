package dev.pgkq.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.linalg.Blas.Transpose;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import org.junit.jupiter.api.Test;

/** What every {@link Blas} must do; compared with the definition, summed in double. */
abstract class BlasContract {
    abstract Blas blas();

    @Test
    void multipliesAllShapesUpToNineAndAnOddLargeOne() {
        int[] sizes = {0, 1, 2, 3, 5, 8, 9};
        for (int m : sizes) {
            for (int n : sizes) {
                for (int k : sizes) {
                    checkAllTransposes(m, n, k);
                }
            }
        }
        checkAllTransposes(67, 103, 211);
    }

    private void checkAllTransposes(int m, int n, int k) {
        for (Transpose a : Transpose.values()) {
            for (Transpose b : Transpose.values()) {
                check(a, b, m, n, k, 0f);
                check(a, b, m, n, k, 1f);
                checkDouble(a, b, m, n, k, 0);
                checkDouble(a, b, m, n, k, 1);
            }
        }
    }

    private void check(Transpose ta, Transpose tb, int m, int n, int k, float beta) {
        RandomStream random = RandomStream.of(1, Purpose.CHECK, m, n, k);
        int shift = 3;
        float[] a = values(m * k + shift, random);
        float[] b = values(k * n + shift, random);
        float[] c = values(m * n + shift + 2, random);
        float[] before = c.clone();
        blas().multiply(ta, tb, m, n, k, a, shift, b, shift, beta, c, shift);
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                double expected = beta * before[shift + i * n + j];
                for (int l = 0; l < k; l++) {
                    double left = a[shift + (ta == Transpose.NO ? i * k + l : l * m + i)];
                    double right = b[shift + (tb == Transpose.NO ? l * n + j : j * k + l)];
                    expected += left * right;
                }
                // k products of numbers below 1, each rounded to 2⁻²⁴
                assertThat((double) c[shift + i * n + j])
                        .as("%s %s %d×%d×%d at %d,%d", ta, tb, m, n, k, i, j)
                        .isCloseTo(expected, offset((k + 2) * 0x1p-23));
            }
        }
        for (int i = 0; i < c.length; i++) {
            if (i < shift || i >= shift + m * n) {
                assertThat(c[i]).as("outside the result").isEqualTo(before[i]);
            }
        }
    }

    private void checkDouble(Transpose ta, Transpose tb, int m, int n, int k, double beta) {
        RandomStream random = RandomStream.of(2, Purpose.CHECK, m, n, k);
        int shift = 3;
        double[] a = doubles(m * k + shift, random);
        double[] b = doubles(k * n + shift, random);
        double[] c = doubles(m * n + shift + 2, random);
        double[] before = c.clone();
        blas().multiply(ta, tb, m, n, k, a, shift, b, shift, beta, c, shift);
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                double expected = beta * before[shift + i * n + j];
                for (int l = 0; l < k; l++) {
                    expected += a[shift + (ta == Transpose.NO ? i * k + l : l * m + i)]
                            * b[shift + (tb == Transpose.NO ? l * n + j : j * k + l)];
                }
                // both sums are rounded to 2⁻⁵³ at each of their k steps
                assertThat(c[shift + i * n + j])
                        .as("%s %s %d×%d×%d at %d,%d", ta, tb, m, n, k, i, j)
                        .isCloseTo(expected, offset((k + 2) * k * 0x1p-53 + 0x1p-52));
            }
        }
        for (int i = 0; i < c.length; i++) {
            if (i < shift || i >= shift + m * n) {
                assertThat(c[i]).as("outside the result").isEqualTo(before[i]);
            }
        }
    }

    private static double[] doubles(int length, RandomStream random) {
        double[] values = new double[length];
        for (int i = 0; i < length; i++) {
            values[i] = random.uniform(-1, 1);
        }
        return values;
    }

    private static float[] values(int length, RandomStream random) {
        float[] values = new float[length];
        for (int i = 0; i < length; i++) {
            values[i] = (float) random.uniform(-1, 1);
        }
        return values;
    }
}
