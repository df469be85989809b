package dev.pgkq.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class BlockKrylovEigenTest {
    /** The matrix with these eigenvalues, λ(0) the first, in a random basis: two reflections of a diagonal matrix. */
    private static double[] withSpectrum(int n, IntToDoubleFunction eigenvalue) {
        double[] matrix = new double[n * n];
        for (int i = 0; i < n; i++) {
            matrix[i * n + i] = eigenvalue.applyAsDouble(i);
        }
        RandomStream random = RandomStream.of(5, Purpose.CHECK, n);
        reflect(matrix, n, random);
        reflect(matrix, n, random);
        return matrix;
    }

    /** A ← H A H with H = I − 2 v vᵀ: with p = A v and r = 2 (p − v ⟨v, p⟩), that is A − v rᵀ − r vᵀ. */
    private static void reflect(double[] matrix, int n, RandomStream random) {
        double[] v = new double[n];
        Arrays.setAll(v, i -> random.nextGaussian());
        double norm = Math.sqrt(Arrays.stream(v).map(x -> x * x).sum());
        Arrays.setAll(v, i -> v[i] / norm);
        double[] p = new double[n];
        double inner = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                p[i] += matrix[i * n + j] * v[j];
            }
            inner += p[i] * v[i];
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                matrix[i * n + j] -= 2 * (v[i] * (p[j] - inner * v[j]) + (p[i] - inner * v[i]) * v[j]);
            }
        }
    }

    private static Optional<SymmetricEigen> krylov(double[] matrix, int n, int count) {
        return BlockKrylovEigen.largest(matrix, n, count, n / 2, Blas.best(), LapackEigen::largest);
    }

    private static void check(int n, int count, IntToDoubleFunction eigenvalue) {
        check(withSpectrum(n, eigenvalue), n, count, eigenvalue, krylov(withSpectrum(n, eigenvalue), n, count));
    }

    private static void check(
            double[] matrix, int n, int count, IntToDoubleFunction eigenvalue, Optional<SymmetricEigen> found) {
        assertThat(found).isPresent();
        SymmetricEigen pairs = found.orElseThrow();
        double scale = eigenvalue.applyAsDouble(0);
        assertThat(pairs.values()).hasSize(count);
        for (int j = 0; j < count; j++) {
            assertThat(pairs.values()[j]).isCloseTo(eigenvalue.applyAsDouble(j), offset(2e-12 * scale));
            double[] u = pairs.vectors()[j];
            double residual = 0;
            for (int i = 0; i < n; i++) {
                double gap = -pairs.values()[j] * u[i];
                for (int k = 0; k < n; k++) {
                    gap += matrix[i * n + k] * u[k];
                }
                residual += gap * gap;
            }
            assertThat(Math.sqrt(residual)).isLessThanOrEqualTo(2e-12 * scale);
            for (int k = 0; k <= j; k++) {
                double inner = 0;
                for (int i = 0; i < n; i++) {
                    inner += u[i] * pairs.vectors()[k][i];
                }
                assertThat(inner).isCloseTo(j == k ? 1 : 0, offset(1e-12));
            }
        }
    }

    @Test
    void findsTheLeadingPairsOfSpectraThatFallFastAndSlowly() {
        check(400, 10, j -> Math.pow(0.5, j));
        check(400, 10, j -> 1.0 / ((j + 1) * (j + 1)));
        check(401, 1, j -> 1 / (1.0 + j));
        check(400, 12, j -> 3 + Math.exp(-0.3 * j));
    }

    @Test
    void findsValuesThatRepeatMoreOftenThanPairsAreWanted() {
        check(300, 7, j -> 1);
        check(300, 7, j -> j < 40 ? 8 : 1);
        check(300, 20, j -> j < 5 ? 8 : j < 33 ? 4 : 1);
    }

    @Test
    void findsPairsOfMatricesOfLowRankAndOfZero() {
        check(300, 8, j -> j < 3 ? 1.0 : 0);
        check(300, 8, j -> j < 1 ? 1e-30 : 0);
        check(300, 8, j -> 0);
    }

    @Test
    void valuesDownToRoundingAreTold() {
        // over 24 powers of ten: a product is all rounding error but for a few directions
        check(500, 30, j -> Math.pow(10, -0.8 * j));
    }

    @Test
    void aBasisThatIsTooSmallGivesNoAnswerInsteadOfAWrongOne() {
        assertThat(krylov(withSpectrum(300, j -> 300 - j), 300, 8)).isEmpty();
        assertThat(krylov(withSpectrum(12, j -> Math.pow(0.5, j)), 12, 1)).isEmpty();
    }

    @Test
    void plainJavaFindsTheSame() {
        IntToDoubleFunction eigenvalue = j -> Math.pow(0.7, j);
        double[] matrix = withSpectrum(200, eigenvalue);
        Optional<SymmetricEigen> plain =
                BlockKrylovEigen.largest(matrix, 200, 5, 120, Blas.plain(), JacobiEigen::largest);
        check(matrix, 200, 5, eigenvalue, plain);
    }

    @Test
    void theSameMatrixGivesTheSameBits() {
        double[] matrix = withSpectrum(300, j -> Math.pow(0.8, j));
        SymmetricEigen once = krylov(matrix, 300, 9).orElseThrow();
        SymmetricEigen again = krylov(matrix.clone(), 300, 9).orElseThrow();
        assertThat(again.values()).isEqualTo(once.values());
        assertThat(again.vectors()).isDeepEqualTo(once.vectors());
    }

    @Test
    void fewOfManyAreFoundWithoutTheOthersUnlessTheyAreHardToFind() {
        int n = 1024;
        IntToDoubleFunction easy = j -> Math.pow(0.5, j);
        int[] largestAsked = new int[1];
        SymmetricEigen.Solver dense = (matrix, size, count) -> {
            largestAsked[0] = Math.max(largestAsked[0], size);
            return LapackEigen.largest(matrix, size, count);
        };
        double[] matrix = withSpectrum(n, easy);
        check(matrix, n, 8, easy, Optional.of(SymmetricEigen.largest(matrix, n, 8, Blas.best(), dense)));
        assertThat(largestAsked[0]).isLessThan(n / 3);

        IntToDoubleFunction hard = j -> n - j;
        double[] evenlySpaced = withSpectrum(n, hard);
        check(evenlySpaced, n, 8, hard, Optional.of(SymmetricEigen.largest(evenlySpaced, n, 8, Blas.best(), dense)));
        assertThat(largestAsked[0]).isEqualTo(n);
    }
}
