package dev.pgkq.linalg;

import java.util.stream.IntStream;

/**
 * Jacobi's method: rotates away one off-diagonal entry after another until none is left. It is slow, simple and
 * accurate: the fallback where LAPACK cannot be loaded, and the oracle that LAPACK is tested against.
 */
final class JacobiEigen {
    private static final int MOST_SWEEPS = 60;

    /** Off-diagonal squares are negligible if their sum is below this share of the diagonal's. */
    private static final double NEGLIGIBLE = 1e-32;

    private JacobiEigen() {}

    static SymmetricEigen largest(double[] matrix, int n, int count) {
        double[] a = matrix.clone();
        double[] u = new double[n * n];
        for (int i = 0; i < n; i++) {
            u[i * n + i] = 1;
        }
        for (int sweep = 0; sweep < MOST_SWEEPS && offDiagonal(a, n) > 0; sweep++) {
            for (int p = 0; p < n; p++) {
                for (int q = p + 1; q < n; q++) {
                    rotate(a, u, n, p, q);
                }
            }
        }
        int[] order = IntStream.range(0, n)
                .boxed()
                .sorted((i, j) -> Double.compare(a[j * n + j], a[i * n + i]))
                .mapToInt(Integer::intValue)
                .toArray();
        double[] values = new double[count];
        double[][] vectors = new double[count][n];
        for (int j = 0; j < count; j++) {
            values[j] = a[order[j] * n + order[j]];
            for (int i = 0; i < n; i++) {
                vectors[j][i] = u[i * n + order[j]];
            }
        }
        return new SymmetricEigen(values, vectors);
    }

    /** The sum of the squares above the diagonal; 0 where it is negligible beside the diagonal. */
    private static double offDiagonal(double[] a, int n) {
        double sum = 0;
        double diagonal = 0;
        for (int i = 0; i < n; i++) {
            diagonal += a[i * n + i] * a[i * n + i];
            for (int j = i + 1; j < n; j++) {
                sum += a[i * n + j] * a[i * n + j];
            }
        }
        return sum > NEGLIGIBLE * diagonal ? sum : 0;
    }

    private static void rotate(double[] a, double[] u, int n, int p, int q) {
        double entry = a[p * n + q];
        if (entry == 0) {
            return;
        }
        double theta = (a[q * n + q] - a[p * n + p]) / (2 * entry);
        double t = Math.copySign(1, theta) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        double c = 1 / Math.sqrt(t * t + 1);
        double s = t * c;
        for (int k = 0; k < n; k++) {
            double kp = a[k * n + p];
            double kq = a[k * n + q];
            a[k * n + p] = c * kp - s * kq;
            a[k * n + q] = s * kp + c * kq;
        }
        for (int k = 0; k < n; k++) {
            double pk = a[p * n + k];
            double qk = a[q * n + k];
            a[p * n + k] = c * pk - s * qk;
            a[q * n + k] = s * pk + c * qk;
            double up = u[k * n + p];
            double uq = u[k * n + q];
            u[k * n + p] = c * up - s * uq;
            u[k * n + q] = s * up + c * uq;
        }
    }
}
