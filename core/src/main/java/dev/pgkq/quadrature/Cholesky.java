package dev.pgkq.quadrature;

/** Small positive definite systems, A = L Lᵀ, in place. */
final class Cholesky {
    private Cholesky() {}

    /**
     * Solves A x = b; {@code a} is n × n row by row and is overwritten, {@code b} becomes x. A pivot that rounding made
     * smaller than 1e-14 of the largest diagonal entry is raised to that: the direction is then hardly used.
     */
    static void solve(double[] a, int n, double[] b) {
        double largest = 0;
        for (int i = 0; i < n; i++) {
            largest = Math.max(largest, a[i * n + i]);
        }
        double least = largest > 0 ? 1e-14 * largest : 1;
        for (int j = 0; j < n; j++) {
            double pivot = a[j * n + j];
            for (int k = 0; k < j; k++) {
                pivot -= a[j * n + k] * a[j * n + k];
            }
            double root = Math.sqrt(Math.max(pivot, least));
            a[j * n + j] = root;
            for (int i = j + 1; i < n; i++) {
                double sum = a[i * n + j];
                for (int k = 0; k < j; k++) {
                    sum -= a[i * n + k] * a[j * n + k];
                }
                a[i * n + j] = sum / root;
            }
        }
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < i; k++) {
                b[i] -= a[i * n + k] * b[k];
            }
            b[i] /= a[i * n + i];
        }
        for (int i = n - 1; i >= 0; i--) {
            for (int k = i + 1; k < n; k++) {
                b[i] -= a[k * n + i] * b[k];
            }
            b[i] /= a[i * n + i];
        }
    }
}
