package dev.pgkq.linalg;

/**
 * The largest eigenvalues of a symmetric matrix, in descending order, and their orthonormal eigenvectors.
 *
 * @param values λ_1 ≥ λ_2 ≥ …
 * @param vectors u_j, one a row
 */
public record SymmetricEigen(double[] values, double[][] vectors) {

    /** The {@code count} largest pairs of the n × n matrix, which is given row by row and not changed. */
    public static SymmetricEigen largest(double[] matrix, int n, int count) {
        if (matrix.length != n * n || count < 1 || count > n) {
            throw new IllegalArgumentException(
                    count + " eigenpairs of a matrix of " + matrix.length + " values, n = " + n);
        }
        return Blas.whyNotNative().isEmpty()
                ? LapackEigen.largest(matrix, n, count)
                : JacobiEigen.largest(matrix, n, count);
    }
}
