package dev.pgkq.quadrature;

import dev.pgkq.random.RandomStream;

/** Points drawn without replacement, all with the same weight: the control that the other rules have to beat. */
public record RandomSubset() implements QuadratureRule {
    @Override
    public WeightedPoints chooseFew(GramMatrix gram, int points, RandomStream random) {
        return WeightedPoints.equal(random.subset(gram.size(), points));
    }
}
