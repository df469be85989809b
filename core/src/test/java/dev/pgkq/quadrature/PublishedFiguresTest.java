package dev.pgkq.quadrature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.random.RandomStream;
import org.junit.jupiter.api.Test;

/** Mean wce² over 50 trials on 64 normal points in five dimensions, exp(−d²/10), n = 8, against known figures. */
class PublishedFiguresTest {
    private static final int TRIALS = 50;

    private static double mean(QuadratureRule rule, double noise) {
        double sum = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            RandomStream random = PointClouds.stream(20, trial);
            GramMatrix gram = PointClouds.gaussian(PointClouds.normal(64, 5, random), 5, 10, noise);
            sum += gram.squaredError(rule.choose(gram, 8, random));
        }
        return sum / TRIALS;
    }

    private static void near(double found, double published) {
        assertThat(found).isBetween(published / 1.25, published * 1.25);
    }

    @Test
    void withoutNoise() {
        near(mean(new RandomSubset(), 0), 0.059);
        near(mean(new Herding(), 0), 0.015);
        near(mean(new Recombination(true), 0), 0.026);
        between(mean(new Reweighted(new Herding()), 0), 0.008, 0.015);
    }

    @Test
    void withNoiseOnTheDiagonal() {
        near(mean(new RandomSubset(), 1), 0.170);
        near(mean(new Herding(), 1), 0.126);
        near(mean(new Recombination(true), 1), 0.179);
        between(mean(new Reweighted(new Herding()), 1), 0.087, 0.126);
    }

    /** Published are weights ≥ 0 of any sum: those on the simplex lie between them and equal ones. */
    private static void between(double found, double ofAnySum, double equal) {
        assertThat(found).isGreaterThan(ofAnySum).isLessThan(equal);
    }

    @Test
    void thinningIsAsGoodAsHerdingAndCholeskyBeatsARandomSubset() {
        double random = mean(new RandomSubset(), 0);
        near(mean(new KernelThinning(), 0), mean(new Herding(), 0));
        assertThat(mean(new Reweighted(new RandomlyPivotedCholesky()), 0)).isLessThan(0.7 * random);
    }
}
