package dev.pgkq.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CholeskyTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void theInverseTimesTheMatrixIsTheIdentity(int n) {
        double[] a = positiveDefinite(n);
        double[] inverse = Cholesky.of(a.clone(), n).orElseThrow().inverse();
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

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void theMatrixTimesTheSolutionIsTheRightHandSide(int n) {
        double[] a = positiveDefinite(n);
        double[] b = gaussian(n, RandomStream.of(2, Purpose.CHECK));
        double[] strict = b.clone();
        double[] raised = b.clone();
        Cholesky.of(a.clone(), n).orElseThrow().solve(strict);
        Cholesky.ofNearlySingular(a.clone(), n).solve(raised);
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++) {
                sum += a[i * n + k] * strict[k];
            }
            assertThat(sum).isCloseTo(b[i], offset(1e-10));
        }
        assertThat(raised).isEqualTo(strict);
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
        assertThat(Cholesky.of(a, n).orElseThrow().logDeterminant())
                .isCloseTo(6 * Math.log(2) + Math.log(2 + 7 * 0.3), offset(1e-12));
    }

    @Test
    void theUpperHalfIsNotRead() {
        double[] a = {4, 99, 2, 5};
        assertThat(Cholesky.of(a, 2).orElseThrow().inverse()).containsExactly(5.0 / 16, -2.0 / 16, -2.0 / 16, 4.0 / 16);
    }

    @Test
    void aMatrixThatIsNotPositiveDefiniteHasNoDecomposition() {
        assertThat(Cholesky.of(new double[] {1, 2, 2, 1}, 2)).isEmpty();
        assertThat(Cholesky.of(new double[] {0}, 1)).isEmpty();
        assertThat(Cholesky.of(new double[] {-1}, 1)).isEmpty();
        assertThat(Cholesky.of(new double[] {Double.NaN}, 1)).isEmpty();
        assertThat(Cholesky.of(new double[] {Double.POSITIVE_INFINITY}, 1)).isEmpty();
    }

    /** Of (11ᵀ) x = 1 every x with sum 1 is a solution. */
    @Test
    void aSingularSystemStillGetsAFiniteSolution() {
        double[] ones = new double[9];
        Arrays.fill(ones, 1);
        double[] x = {1, 1, 1};
        Cholesky.ofNearlySingular(ones, 3).solve(x);
        assertThat(Arrays.stream(x).sum()).isCloseTo(1, offset(1e-6));
        double[] ofNothing = {0, 0};
        Cholesky.ofNearlySingular(new double[4], 2).solve(ofNothing);
        assertThat(ofNothing).containsExactly(0, 0);
    }

    @Test
    void valuesThatAreNoSquareAreRefused() {
        assertThatThrownBy(() -> Cholesky.of(new double[5], 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("5 values are not a matrix of 2 rows");
    }

    private static double[] positiveDefinite(int n) {
        double[] root = gaussian(n * n, RandomStream.of(1, Purpose.CHECK, n));
        double[] a = new double[n * n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i * n + j] = i == j ? 0.5 : 0;
                for (int k = 0; k < n; k++) {
                    a[i * n + j] += root[i * n + k] * root[j * n + k];
                }
            }
        }
        return a;
    }

    private static double[] gaussian(int size, RandomStream random) {
        double[] values = new double[size];
        for (int i = 0; i < size; i++) {
            values[i] = random.nextGaussian();
        }
        return values;
    }
}
