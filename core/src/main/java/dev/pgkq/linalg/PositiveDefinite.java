package dev.pgkq.linalg;

/** The inverse and the determinant of a small symmetric positive definite matrix, by A = L Lᵀ. */
public final class PositiveDefinite {
    private PositiveDefinite() {}

    /**
     * Replaces the n × n matrix, of which only the lower half is read, by its inverse and returns log det A; or returns NaN
     * and leaves rubbish where A is not positive definite.
     */
    public static double invert(double[] a, int n) {
        double logDeterminant = 0;
        for (int j = 0; j < n; j++) {
            for (int i = 0; i <= j; i++) {
                double sum = a[j * n + i];
                for (int k = 0; k < i; k++) {
                    sum -= a[j * n + k] * a[i * n + k];
                }
                if (i < j) {
                    a[j * n + i] = sum / a[i * n + i];
                } else if (sum > 0 && sum < Double.POSITIVE_INFINITY) {
                    a[j * n + j] = Math.sqrt(sum);
                    logDeterminant += Math.log(sum);
                } else {
                    return Double.NaN;
                }
            }
        }
        invertTriangle(a, n);
        // A⁻¹ = L⁻ᵀ L⁻¹; row by row from the top, each entry needs rows from its own on only
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = 0;
                for (int k = i; k < n; k++) {
                    sum += a[k * n + i] * a[k * n + j];
                }
                a[i * n + j] = sum;
            }
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                a[j * n + i] = a[i * n + j];
            }
        }
        return logDeterminant;
    }

    /** L ← L⁻¹, column by column: row i of a column needs the rows above it in the column, and row i of L. */
    private static void invertTriangle(double[] a, int n) {
        double[] column = new double[n];
        for (int j = n - 1; j >= 0; j--) {
            column[j] = 1 / a[j * n + j];
            for (int i = j + 1; i < n; i++) {
                double sum = 0;
                // what is below and right of column j is inverted already: L⁻¹_ij = −(L⁻¹_{i,j+1…i} L_{j+1…i,j}) / L_jj
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
