package dev.pgkq.quadrature;

import dev.pgkq.linalg.Cholesky;

/**
 * The best weights ≥ 0 for given points, with any sum: min over w ≥ 0 of ‖Σ w_i φ_i − μ‖² = wᵀ K w − 2 wᵀ z + c. This
 * is Bayesian quadrature without negative weights; where the points say little about the rest, the weights shrink.
 *
 * <p>The method is that of Lawson and Hanson for non-negative least squares [1], with active sets.
 *
 * <p>[1] C. Lawson, R. Hanson: Solving least squares problems. Prentice-Hall 1974.
 */
public final class ConicWeights {
    /** A point is worth adding if its slope is more than this share of the largest target. */
    public static final double TOLERANCE = 1e-12;

    /** The diagonal is enlarged by this share, so that equal points do not make the system singular. */
    private static final double RIDGE = 1e-12;

    private ConicWeights() {}

    /**
     * Computes the best weights.
     *
     * @param gram K between all points
     * @param indices the given points
     * @return their weights, in their order
     */
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

    /**
     * Minimises wᵀ A w − 2 bᵀ w over w ≥ 0.
     *
     * @param a the kernel between the given points, row by row
     * @param b for each given point, the mean of the kernel over all points
     * @return w
     */
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
            matrix[i * m + i] *= 1 + RIDGE;
        }
        Cholesky.ofNearlySingular(matrix, m).solve(solution);
        double[] target = new double[n];
        for (int i = 0; i < m; i++) {
            target[places[i]] = solution[i];
        }
        return target;
    }
}
