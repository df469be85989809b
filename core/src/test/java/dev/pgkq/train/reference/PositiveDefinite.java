package dev.pgkq.train.reference;

import java.util.Optional;

/** A symmetric positive definite matrix, decomposed as A = L Lᵀ. */
final class PositiveDefinite {
    private final double[][] lower;

    private PositiveDefinite(double[][] lower) {
        this.lower = lower;
    }

    /** {@return the decomposition, or empty if the matrix is not positive definite} */
    static Optional<PositiveDefinite> of(double[][] matrix) {
        int n = matrix.length;
        double[][] lower = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double rest = matrix[i][j];
                for (int k = 0; k < j; k++) {
                    rest -= lower[i][k] * lower[j][k];
                }
                if (i == j && !(rest > 0)) {
                    return Optional.empty();
                }
                lower[i][j] = i == j ? Math.sqrt(rest) : rest / lower[j][j];
            }
        }
        return Optional.of(new PositiveDefinite(lower));
    }

    double logDeterminant() {
        double sum = 0;
        for (int i = 0; i < lower.length; i++) {
            sum += 2 * Math.log(lower[i][i]);
        }
        return sum;
    }

    /** {@return x of A x = b} */
    double[] solve(double[] b) {
        double[] x = b.clone();
        for (int i = 0; i < x.length; i++) {
            for (int k = 0; k < i; k++) {
                x[i] -= lower[i][k] * x[k];
            }
            x[i] /= lower[i][i];
        }
        for (int i = x.length - 1; i >= 0; i--) {
            for (int k = i + 1; k < x.length; k++) {
                x[i] -= lower[k][i] * x[k];
            }
            x[i] /= lower[i][i];
        }
        return x;
    }

    double[][] inverse() {
        double[][] inverse = new double[lower.length][];
        for (int i = 0; i < lower.length; i++) {
            double[] unit = new double[lower.length];
            unit[i] = 1;
            inverse[i] = solve(unit);
        }
        return inverse;
    }
}
