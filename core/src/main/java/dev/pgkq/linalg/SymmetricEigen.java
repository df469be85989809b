package dev.pgkq.linalg;

/**
 * The largest eigenvalues of a symmetric matrix, in descending order, and their orthonormal eigenvectors.
 *
 * @param values λ_1 ≥ λ_2 ≥ …
 * @param vectors u_j, one a row
 */
public record SymmetricEigen(double[] values, double[][] vectors) {
    /** From this size on, the block Krylov method was faster than LAPACK if few pairs are wanted. */
    private static final int MANY = 1024;

    /** Few are at most one pair in this many. */
    private static final int FEW = 32;

    /** The basis of the block Krylov method has at most one vector for this many rows. */
    private static final int ROWS_PER_BASIS_VECTOR = 3;

    /** A method to find the largest pairs; does not change the matrix. */
    @FunctionalInterface
    interface Solver {
        SymmetricEigen largest(double[] matrix, int n, int count);
    }

    /**
     * Computes the largest pairs of a matrix.
     *
     * @param matrix symmetric, row by row; not changed
     * @param n number of rows
     * @param count number of pairs
     * @return the pairs
     * @throws IllegalArgumentException if the matrix does not have n² values or the count is not in 1 … n
     */
    public static SymmetricEigen largest(double[] matrix, int n, int count) {
        if (matrix.length != n * n || count < 1 || count > n) {
            throw new IllegalArgumentException(
                    count + " eigenpairs of a matrix of " + matrix.length + " values, n = " + n);
        }
        return largest(
                matrix,
                n,
                count,
                Blas.best(),
                Blas.whyNotNative().isEmpty() ? LapackEigen::largest : JacobiEigen::largest);
    }

    /** A dense solver does the work of all pairs; for few of many it is the fallback where the Krylov method fails. */
    static SymmetricEigen largest(double[] matrix, int n, int count, Blas blas, Solver dense) {
        if (n >= MANY && n / count >= FEW) {
            return BlockKrylovEigen.largest(matrix, n, count, n / ROWS_PER_BASIS_VECTOR, blas, dense)
                    .orElseGet(() -> dense.largest(matrix, n, count));
        }
        return dense.largest(matrix, n, count);
    }
}
