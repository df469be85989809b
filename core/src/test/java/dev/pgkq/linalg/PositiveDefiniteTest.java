package dev.pgkq.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import org.junit.jupiter.api.Test;

class PositiveDefiniteTest {
    @Test
    void theInverseTimesTheMatrixIsTheIdentity() {
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        for (int n = 1; n <= 9; n++) {
            double[] root = new double[n * n];
            for (int i = 0; i < root.length; i++) {
                root[i] = random.nextGaussian();
            }
            double[] a = new double[n * n];
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    a[i * n + j] = i == j ? 0.5 : 0;
                    for (int k = 0; k < n; k++) {
                        a[i * n + j] += root[i * n + k] * root[j * n + k];
                    }
                }
            }
            double[] inverse = a.clone();
            PositiveDefinite.invert(inverse, n);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    double sum = 0;
                    for (int k = 0; k < n; k++) {
                        sum += a[i * n + k] * inverse[k * n + j];
                    }
                    assertThat(sum).isCloseTo(i == j ? 1 : 0, offset(1e-10));
                }
            }
        }
    }

    /** a I + b 11ᵀ has determinant aⁿ⁻¹ (a + n b). */
    @Test
    void theDeterminantOfAShiftedOnesMatrixIsKnown() {
        int n = 7;
        double[] a = new double[n * n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i * n + j] = 0.3 + (i == j ? 2 : 0);
            }
        }
        assertThat(PositiveDefinite.invert(a, n)).isCloseTo(6 * Math.log(2) + Math.log(2 + 7 * 0.3), offset(1e-12));
    }

    @Test
    void whatIsNotPositiveDefiniteIsSaid() {
        assertThat(PositiveDefinite.invert(new double[] {1, 2, 2, 1}, 2)).isNaN();
        assertThat(PositiveDefinite.invert(new double[] {0}, 1)).isNaN();
        assertThat(PositiveDefinite.invert(new double[] {Double.NaN}, 1)).isNaN();
        assertThat(PositiveDefinite.invert(new double[] {Double.POSITIVE_INFINITY}, 1))
                .isNaN();
    }
}
