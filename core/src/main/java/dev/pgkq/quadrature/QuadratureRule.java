package dev.pgkq.quadrature;

import dev.pgkq.random.RandomStream;

/** A way to choose points and weights. */
public interface QuadratureRule {
    /**
     * At most {@code points} points of the set with weights ≥ 0 that sum to 1. Where the set has no more points than
     * that, all of them with equal weights, which is exact.
     */
    default WeightedPoints choose(GramMatrix gram, int points, RandomStream random) {
        if (points < 1) {
            throw new IllegalArgumentException("at least one point must be chosen, not " + points);
        }
        return points >= gram.size() ? WeightedPoints.all(gram.size()) : chooseFew(gram, points, random);
    }

    /** The same for 1 ≤ {@code points} < N. */
    WeightedPoints chooseFew(GramMatrix gram, int points, RandomStream random);
}
