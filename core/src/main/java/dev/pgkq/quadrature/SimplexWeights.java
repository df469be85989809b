package dev.pgkq.quadrature;

import dev.pgkq.linalg.Cholesky;
import java.util.Arrays;

/**
 * The best weights for given points: min wce²(w) subject to w ≥ 0, Σ w = 1.
 *
 * <p>With φ_i the points in the kernel's space and μ the mean of all N, wce² = ‖Σ w_i (φ_i − μ)‖². The minimum is the
 * point of smallest norm in the convex hull of v_i = φ_i − μ. Wolfe's algorithm [1] finds it in finitely many steps and
 * needs only the inner products G_ij = K_ij − z_i − z_j + c:
 *
 * <ol>
 *   <li>Keep a set S of points with positive weights λ, whose affine minimiser is Σ λ_i v_i = x.
 *   <li>Take the j with smallest ⟨x, v_j⟩. If it is not below ⟨x, x⟩, x is the answer; otherwise add j to S.
 *   <li>Find the affine minimiser α of S. While some α_i ≤ 0, go from λ towards α until a weight is 0 and drop its
 *       point.
 * </ol>
 *
 * <p>[1] P. Wolfe: Finding the nearest point in a polytope. Mathematical Programming 11, 1976.
 */
public final class SimplexWeights {
    /** The result is optimal to this share of the largest diagonal entry of G. */
    public static final double TOLERANCE = 1e-12;

    /**
     * Added to the diagonal, relative to its mean, so that affinely dependent points do not make the system singular.
     */
    private static final double RIDGE = 1e-13;

    private SimplexWeights() {}

    /**
     * Improves the weights of a rule.
     *
     * @param gram the kernel between all points
     * @param rule any points and weights
     * @return the same points, or fewer, with the weights of least wce², which is never larger than that of the rule
     */
    public static WeightedPoints optimize(GramMatrix gram, WeightedPoints rule) {
        double[] weights = nearest(centred(gram, rule.indices()), rule.size());
        WeightedPoints optimized = WeightedPoints.normalized(rule.indices(), weights);
        return gram.squaredError(optimized) <= gram.squaredError(rule) ? optimized : rule;
    }

    /**
     * Computes the best weights for given points.
     *
     * @param gram the kernel between all points
     * @param indices the given points
     * @return exactly these points with the weights of least wce², some of which may be 0
     */
    public static WeightedPoints of(GramMatrix gram, int... indices) {
        double[] weights = nearest(centred(gram, indices), indices.length);
        double sum = Arrays.stream(weights).sum();
        return new WeightedPoints(
                indices, Arrays.stream(weights).map(weight -> weight / sum).toArray());
    }

    /**
     * Computes the least wce² that given points allow.
     *
     * @param gram the kernel between all points
     * @param indices the given points
     * @return the wce² of their best weights
     */
    public static double leastSquaredError(GramMatrix gram, int[] indices) {
        int n = indices.length;
        double[] inner = centred(gram, indices);
        double[] weights = nearest(inner, n);
        double[] slopes = new double[n];
        multiply(inner, weights, n, slopes);
        return Math.max(0, dot(weights, slopes, n));
    }

    private static double[] centred(GramMatrix gram, int[] indices) {
        int n = indices.length;
        double[] inner = new double[n * n];
        for (int a = 0; a < n; a++) {
            for (int b = 0; b < n; b++) {
                inner[a * n + b] = gram.at(indices[a], indices[b])
                        - gram.meanAt(indices[a])
                        - gram.meanAt(indices[b])
                        + gram.mean();
            }
        }
        return inner;
    }

    /**
     * Finds the point nearest to 0 in the convex hull of n points.
     *
     * @param inner the inner products of the points, row by row
     * @param n number of points
     * @return its weights, which are ≥ 0 and sum to 1
     */
    public static double[] nearest(double[] inner, int n) {
        double scale = 0;
        int start = 0;
        for (int i = 0; i < n; i++) {
            scale = Math.max(scale, inner[i * n + i]);
            start = inner[i * n + i] < inner[start * n + start] ? i : start;
        }
        double[] weights = new double[n];
        boolean[] active = new boolean[n];
        weights[start] = 1;
        active[start] = true;
        double[] gradient = new double[n];
        for (int major = 0; major < 20 * n + 100; major++) {
            multiply(inner, weights, n, gradient);
            double square = dot(weights, gradient, n);
            int best = -1;
            for (int j = 0; j < n; j++) {
                if (!active[j] && (best < 0 || gradient[j] < gradient[best])) {
                    best = j;
                }
            }
            if (best < 0 || gradient[best] >= square - TOLERANCE * scale) {
                break;
            }
            active[best] = true;
            ActiveSet.descend(weights, active, set -> affineMinimizer(inner, n, set));
        }
        return weights;
    }

    /**
     * min ‖Σ α_i v_i‖² with Σ α_i = 1 over the active points: α ∝ (G + ε I)⁻¹ 1 with a small ridge ε.
     */
    private static double[] affineMinimizer(double[] inner, int n, boolean[] active) {
        int[] places = new int[n];
        int m = 0;
        double trace = 0;
        for (int i = 0; i < n; i++) {
            if (active[i]) {
                places[m++] = i;
                trace += inner[i * n + i];
            }
        }
        // G + t 11ᵀ has the same minimiser on Σ α = 1 for every t, and is better conditioned where G is singular.
        double shift = trace > 0 ? trace / m : 1;
        double[] matrix = new double[m * m];
        double[] solution = new double[m];
        for (int a = 0; a < m; a++) {
            for (int b = 0; b < m; b++) {
                matrix[a * m + b] = inner[places[a] * n + places[b]] + shift;
            }
            matrix[a * m + a] += RIDGE * shift;
            solution[a] = 1;
        }
        Cholesky.ofNearlySingular(matrix, m).solve(solution);
        double sum = 0;
        for (double value : solution) {
            sum += value;
        }
        double[] target = new double[n];
        for (int a = 0; a < m; a++) {
            target[places[a]] = solution[a] / sum;
        }
        return target;
    }

    private static void multiply(double[] matrix, double[] vector, int n, double[] into) {
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++) {
                sum += matrix[i * n + j] * vector[j];
            }
            into[i] = sum;
        }
    }

    private static double dot(double[] a, double[] b, int n) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
