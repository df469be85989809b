package dev.pgkq.linalg;

import java.util.Optional;

/**
 * The Cholesky decomposition A = L Lᵀ of a small symmetric positive definite matrix, with L lower triangular:
 *
 * <pre>
 *   L_jj = √p_j,   p_j = A_jj − Σ_{k &lt; j} L_jk²,   L_ij = (A_ij − Σ_{k &lt; j} L_ik L_jk) / L_jj   for i &gt; j
 * </pre>
 *
 * <p>Matrices are n × n, row by row; of A only the lower half is read. A sum is taken in the order of k, so the same
 * matrix gives the same bits.
 */
public final class Cholesky {
    /** The least pivot of {@link #ofNearlySingular}, relative to the largest diagonal entry. */
    public static final double LEAST_PIVOT = 1e-14;

    private final int n;
    /** L in the lower half. */
    private final double[] factor;
    /** p_j, of which L_jj is the square root. */
    private final double[] pivots;

    private Cholesky(double[] matrix, int n, double leastPivot) {
        if (matrix.length != (long) n * n) {
            throw new IllegalArgumentException(matrix.length + " values are not a matrix of " + n + " rows");
        }
        this.n = n;
        this.factor = matrix;
        this.pivots = new double[n];
        for (int j = 0; j < n; j++) {
            for (int i = 0; i <= j; i++) {
                double sum = matrix[j * n + i];
                for (int k = 0; k < i; k++) {
                    sum -= matrix[j * n + k] * matrix[i * n + k];
                }
                if (i < j) {
                    matrix[j * n + i] = sum / matrix[i * n + i];
                } else {
                    pivots[j] = Math.max(sum, leastPivot);
                    matrix[j * n + j] = Math.sqrt(pivots[j]);
                }
            }
        }
    }

    /**
     * Decomposes a matrix that may turn out not to be positive definite.
     *
     * @param matrix A; taken over and overwritten
     * @param n number of rows
     * @return the decomposition, or empty if a pivot is not a positive finite number
     * @throws IllegalArgumentException if the matrix does not have n² values
     */
    public static Optional<Cholesky> of(double[] matrix, int n) {
        Cholesky decomposition = new Cholesky(matrix, n, 0);
        return decomposition.isPositiveDefinite() ? Optional.of(decomposition) : Optional.empty();
    }

    /**
     * Decomposes a positive semidefinite matrix whose pivots rounding may have made too small or negative. Pivots below
     * {@link #LEAST_PIVOT} times the largest diagonal entry are raised to that, so that solutions hardly use their
     * directions; where no diagonal entry is positive, pivots are raised to 1. Entries that are not finite give
     * solutions that are not finite.
     *
     * @param matrix A; taken over and overwritten
     * @param n number of rows
     * @return the decomposition of a matrix close to A
     * @throws IllegalArgumentException if the matrix does not have n² values
     */
    public static Cholesky ofNearlySingular(double[] matrix, int n) {
        double largest = 0;
        for (int i = 0; i < n; i++) {
            largest = Math.max(largest, matrix[i * n + i]);
        }
        return new Cholesky(matrix, n, largest > 0 ? LEAST_PIVOT * largest : 1);
    }

    private boolean isPositiveDefinite() {
        for (double pivot : pivots) {
            if (!(pivot > 0 && pivot < Double.POSITIVE_INFINITY)) {
                return false;
            }
        }
        return true;
    }

    /** {@return log det A = Σ_j log p_j} */
    public double logDeterminant() {
        double sum = 0;
        for (double pivot : pivots) {
            sum += Math.log(pivot);
        }
        return sum;
    }

    /**
     * Solves A x = b, by L y = b and Lᵀ x = y.
     *
     * @param b the right-hand side, which becomes x
     */
    public void solve(double[] b) {
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < i; k++) {
                b[i] -= factor[i * n + k] * b[k];
            }
            b[i] /= factor[i * n + i];
        }
        for (int i = n - 1; i >= 0; i--) {
            for (int k = i + 1; k < n; k++) {
                b[i] -= factor[k * n + i] * b[k];
            }
            b[i] /= factor[i * n + i];
        }
    }

    /**
     * Computes tr(Bᵀ A⁻¹ B) = ‖L⁻¹ B‖².
     *
     * @param matrix B, n × columns, row by row; overwritten with L⁻¹ B
     * @param columns of B
     * @return the trace
     */
    public double squaredNorm(double[] matrix, int columns) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < i; k++) {
                double value = factor[i * n + k];
                for (int c = 0; c < columns; c++) {
                    matrix[i * columns + c] -= value * matrix[k * columns + c];
                }
            }
            for (int c = 0; c < columns; c++) {
                matrix[i * columns + c] /= factor[i * n + i];
                sum += matrix[i * columns + c] * matrix[i * columns + c];
            }
        }
        return sum;
    }

    /** {@return A⁻¹ = L⁻ᵀ L⁻¹, both halves of it} */
    public double[] inverse() {
        double[] inverse = factor.clone();
        invertTriangle(inverse, n);
        // In place: from the top, an entry of L⁻ᵀ L⁻¹ needs entries of L⁻¹ in its own and later rows only.
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = 0;
                for (int k = i; k < n; k++) {
                    sum += inverse[k * n + i] * inverse[k * n + j];
                }
                inverse[i * n + j] = sum;
            }
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                inverse[j * n + i] = inverse[i * n + j];
            }
        }
        return inverse;
    }

    /** L ← L⁻¹, from the last column to the first: L⁻¹_ij = −(L⁻¹_{i,j+1…i} L_{j+1…i,j}) / L_jj. */
    private static void invertTriangle(double[] a, int n) {
        double[] column = new double[n];
        for (int j = n - 1; j >= 0; j--) {
            column[j] = 1 / a[j * n + j];
            for (int i = j + 1; i < n; i++) {
                double sum = 0;
                for (int k = j + 1; k <= i; k++) {
                    sum += a[i * n + k] * a[k * n + j];
                }
                column[i] = -sum / a[j * n + j];
            }
            for (int i = j; i < n; i++) {
                a[i * n + j] = column[i];
            }
        }
    }
}
