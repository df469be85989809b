package dev.pgkq.quadrature;

import dev.pgkq.random.RandomStream;

/** A method that chooses points and weights. */
public interface QuadratureRule {
    /**
     * Chooses points of the set and their weights. A set that has no more points than may be chosen is returned whole,
     * with equal weights, which is exact.
     *
     * @param gram the kernel between the points of the set
     * @param points the most points to choose
     * @param random for rules that draw
     * @return distinct points with weights ≥ 0 that sum to 1
     * @throws IllegalArgumentException if not even one point may be chosen
     */
    default WeightedPoints choose(GramMatrix gram, int points, RandomStream random) {
        if (points < 1) {
            throw new IllegalArgumentException("at least one point must be chosen, not " + points);
        }
        return points >= gram.size() ? WeightedPoints.all(gram.size()) : chooseFew(gram, points, random);
    }

    /**
     * Does the same for 1 ≤ points &lt; N; implementations need not check this.
     *
     * @param gram the kernel between the points of the set
     * @param points the most points to choose
     * @param random for rules that draw
     * @return distinct points with weights ≥ 0 that sum to 1
     */
    WeightedPoints chooseFew(GramMatrix gram, int points, RandomStream random);
}
