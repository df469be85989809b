package dev.pgkq.quadrature;

import dev.pgkq.random.RandomStream;

/**
 * Another rule's points with the best weights on the simplex.
 *
 * @param rule chooses the points
 */
public record Reweighted(QuadratureRule rule) implements QuadratureRule {
    @Override
    public WeightedPoints chooseFew(GramMatrix gram, int points, RandomStream random) {
        return SimplexWeights.optimize(gram, rule.chooseFew(gram, points, random));
    }
}
