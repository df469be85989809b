package dev.pgkq.quadrature;

import dev.pgkq.random.RandomStream;
import java.util.Arrays;

/**
 * Orthogonal matching pursuit of the kernel mean μ = (1/N) Σ φ_j. Each step takes the point that, together with the
 * points so far, brings the span nearest to μ:
 *
 * <pre>
 *   x = argmax  b_x² / d_x,   b_x = ⟨μ − P μ, φ_x⟩ &gt; 0,   d_x = ‖φ_x − P φ_x‖²,
 * </pre>
 *
 * with P the projection onto the points so far. This is the largest decrease of the remaining variance of Bayesian
 * quadrature. Unlike {@link Herding} it does not prefer points just because they are large. Points with b_x ≤ 0 would
 * get a negative weight and are used only if there are no others. The weights are the best ones on the simplex.
 */
public record Pursuit() implements QuadratureRule {
    /** A point counts as dependent if at most this share of its squared norm is outside the span. */
    private static final double DEPENDENT = 1e-6;

    @Override
    public WeightedPoints chooseFew(GramMatrix gram, int points, RandomStream random) {
        int[] chosen = points(gram, points);
        return SimplexWeights.optimize(gram, WeightedPoints.equal(chosen));
    }

    static int[] points(GramMatrix gram, int points) {
        int size = gram.size();
        double[] distance = new double[size];
        double[] gap = new double[size];
        for (int i = 0; i < size; i++) {
            distance[i] = gram.at(i, i);
            gap[i] = gram.meanAt(i);
        }
        double[][] components = new double[points][size];
        boolean[] taken = new boolean[size];
        int[] chosen = new int[points];
        for (int t = 0; t < points; t++) {
            int best = best(gram, distance, gap, taken);
            if (best < 0) {
                return t > 0 ? Arrays.copyOf(chosen, t) : new int[] {0};
            }
            chosen[t] = best;
            taken[best] = true;
            double root = Math.sqrt(distance[best]);
            double share = gap[best] / root;
            for (int i = 0; i < size; i++) {
                double component = gram.at(best, i);
                for (int s = 0; s < t; s++) {
                    component -= components[s][i] * components[s][best];
                }
                component /= root;
                components[t][i] = component;
                distance[i] -= component * component;
                gap[i] -= component * share;
            }
        }
        return chosen;
    }

    private static int best(GramMatrix gram, double[] distance, double[] gap, boolean[] taken) {
        int best = -1;
        double most = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < taken.length; i++) {
            if (!taken[i] && distance[i] > DEPENDENT * gram.at(i, i)) {
                double gain = gap[i] * Math.abs(gap[i]) / distance[i];
                if (gain > most) {
                    most = gain;
                    best = i;
                }
            }
        }
        return best;
    }
}
