package dev.pgkq.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import org.junit.jupiter.api.Test;

class SymmetricEigenTest {
    private static double[] matrix(int n, int rank) {
        RandomStream random = RandomStream.of(1, Purpose.CHECK, n, rank);
        double[] factor = new double[n * rank];
        for (int i = 0; i < factor.length; i++) {
            factor[i] = random.nextGaussian();
        }
        double[] matrix = new double[n * n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int k = 0; k < rank; k++) {
                    matrix[i * n + j] += factor[i * rank + k] * factor[j * rank + k];
                }
            }
        }
        return matrix;
    }

    @Test
    void bothMethodsGiveOrthonormalVectorsWithTheLargestValues() {
        for (int n = 1; n <= 9; n++) {
            check(n, n, n);
            check(n, Math.max(1, n / 2), n);
        }
        check(40, 40, 7);
        check(64, 5, 12);
    }

    private static void check(int n, int rank, int count) {
        double[] matrix = matrix(n, rank);
        double[] before = matrix.clone();
        SymmetricEigen lapack = LapackEigen.largest(matrix, n, count);
        SymmetricEigen jacobi = JacobiEigen.largest(matrix, n, count);
        assertThat(matrix).isEqualTo(before);
        double scale = lapack.values()[0];
        for (int j = 0; j < count; j++) {
            assertThat(lapack.values()[j]).isCloseTo(jacobi.values()[j], offset(1e-12 * scale));
            for (SymmetricEigen pairs : new SymmetricEigen[] {lapack, jacobi}) {
                for (int i = 0; i < n; i++) {
                    double image = 0;
                    for (int k = 0; k < n; k++) {
                        image += matrix[i * n + k] * pairs.vectors()[j][k];
                    }
                    assertThat(image).isCloseTo(pairs.values()[j] * pairs.vectors()[j][i], offset(1e-11 * scale));
                }
                for (int k = 0; k <= j; k++) {
                    double inner = 0;
                    for (int i = 0; i < n; i++) {
                        inner += pairs.vectors()[j][i] * pairs.vectors()[k][i];
                    }
                    assertThat(inner).isCloseTo(j == k ? 1 : 0, offset(1e-10));
                }
            }
        }
    }

    @Test
    void theZeroMatrixHasEigenvaluesZero() {
        assertThat(LapackEigen.largest(new double[9], 3, 2).values()).containsOnly(0);
        assertThat(JacobiEigen.largest(new double[9], 3, 2).values()).containsOnly(0);
    }
}
