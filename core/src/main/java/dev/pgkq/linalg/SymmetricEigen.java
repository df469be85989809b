package dev.pgkq.linalg;

/**
 * The largest eigenvalues of a symmetric matrix, in descending order, and their orthonormal eigenvectors.
 *
 * @param values λ_1 ≥ λ_2 ≥ …
 * @param vectors u_j, one a row
 */
public record SymmetricEigen(double[] values, double[][] vectors) {
    /** From this size on, and up to this share of the pairs, finding a few alone was faster than LAPACK. */
    private static final int MANY = 1024;

    private static final int FEW = 32;

    /** A way to find them; the matrix is not changed. */
    @FunctionalInterface
    interface Solver {
        SymmetricEigen largest(double[] matrix, int n, int count);
    }

    /** The {@code count} largest pairs of the n × n matrix, which is given row by row and not changed. */
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

    /** A dense solver finds all pairs on its way: for a few of many it is asked only if they are hard to find alone. */
    static SymmetricEigen largest(double[] matrix, int n, int count, Blas blas, Solver dense) {
        if (n >= MANY && n / count >= FEW) {
            return BlockKrylovEigen.largest(matrix, n, count, n / 3, blas, dense)
                    .orElseGet(() -> dense.largest(matrix, n, count));
        }
        return dense.largest(matrix, n, count);
    }
}
