package dev.pgkq.quadrature;

import dev.pgkq.linalg.Cholesky;

/**
 * The best weights ≥ 0 for given points, whatever they sum to: min ‖Σ w_i φ_i − μ‖² over w ≥ 0, which is
 * wᵀ K w − 2 wᵀ z + c. Bayesian quadrature without negative weights; where the points say little about the rest, the
 * weights shrink.
 *
 * <p>Active sets, as in the method of Lawson and Hanson for non-negative least squares [1].
 *
 * [1] C. Lawson, R. Hanson: Solving least squares problems. Prentice-Hall 1974.
 */
public final class ConicWeights {
    private static final double TOLERANCE = 1e-12;

    private ConicWeights() {}

    /** The weights of these points, in their order. */
    public static double[] of(GramMatrix gram, int[] indices) {
        int n = indices.length;
        double[] matrix = new double[n * n];
        double[] target = new double[n];
        for (int a = 0; a < n; a++) {
            target[a] = gram.meanAt(indices[a]);
            for (int b = 0; b < n; b++) {
                matrix[a * n + b] = gram.at(indices[a], indices[b]);
            }
        }
        return of(matrix, target);
    }

    /** min wᵀ A w − 2 bᵀ w over w ≥ 0: A the kernel between the points, row by row, b its means over all points. */
    public static double[] of(double[] a, double[] b) {
        int n = b.length;
        double[] weights = new double[n];
        boolean[] active = new boolean[n];
        double scale = 0;
        for (double value : b) {
            scale = Math.max(scale, Math.abs(value));
        }
        for (int round = 0; round < 10 * n + 10; round++) {
            int best = -1;
            double steepest = TOLERANCE * scale;
            for (int i = 0; i < n; i++) {
                double slope = b[i];
                for (int j = 0; j < n; j++) {
                    slope -= a[i * n + j] * weights[j];
                }
                if (!active[i] && slope > steepest) {
                    steepest = slope;
                    best = i;
                }
            }
            if (best < 0) {
                break;
            }
            active[best] = true;
            ActiveSet.descend(weights, active, set -> minimizer(a, b, set));
        }
        return weights;
    }

    private static double[] minimizer(double[] a, double[] b, boolean[] active) {
        int n = b.length;
        int[] places = new int[n];
        int m = 0;
        for (int i = 0; i < n; i++) {
            if (active[i]) {
                places[m++] = i;
            }
        }
        double[] matrix = new double[m * m];
        double[] solution = new double[m];
        for (int i = 0; i < m; i++) {
            solution[i] = b[places[i]];
            for (int j = 0; j < m; j++) {
                matrix[i * m + j] = a[places[i] * n + places[j]];
            }
            matrix[i * m + i] *= 1 + 1e-12;
        }
        Cholesky.ofNearlySingular(matrix, m).solve(solution);
        double[] target = new double[n];
        for (int i = 0; i < m; i++) {
            target[places[i]] = solution[i];
        }
        return target;
    }
}
