package dev.pgkq.quadrature;

import dev.pgkq.random.RandomStream;

/**
 * Kernel herding without replacement [1]. It adds one point after another, each time the one that the rule so far
 * represents worst,
 *
 * <pre>
 *   x_{t+1} = argmax over points not yet chosen of  z_x − (1/(t+1)) Σ_{s ≤ t} K(x, x_s).
 * </pre>
 *
 * All points have the same weight. Ties go to the lowest index.
 *
 * <ol>
 *   <li>Y. Chen, M. Welling, A. Smola: Super-samples from kernel herding. UAI 2010.
 * </ol>
 */
public record Herding() implements QuadratureRule {
    @Override
    public WeightedPoints chooseFew(GramMatrix gram, int points, RandomStream random) {
        int size = gram.size();
        int[] chosen = new int[points];
        boolean[] taken = new boolean[size];
        double[] covered = new double[size];
        for (int t = 0; t < points; t++) {
            int best = -1;
            double bestGap = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < size; i++) {
                double gap = gram.meanAt(i) - covered[i] / (t + 1);
                if (!taken[i] && gap > bestGap) {
                    best = i;
                    bestGap = gap;
                }
            }
            chosen[t] = best;
            taken[best] = true;
            for (int i = 0; i < size; i++) {
                covered[i] += gram.at(best, i);
            }
        }
        return WeightedPoints.equal(chosen);
    }
}
