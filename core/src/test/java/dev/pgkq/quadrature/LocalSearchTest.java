package dev.pgkq.quadrature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LocalSearchTest extends OrderFreeRuleContract {
    @Override
    QuadratureRule rule() {
        return new LocalSearch(0);
    }

    private static GramMatrix gram(int size, int trial) {
        int dimension = 1 + trial % 4;
        double[] points = PointClouds.normal(size, dimension, PointClouds.stream(60, trial));
        return PointClouds.gaussian(points, dimension, 2 * dimension, trial % 3 * 0.1);
    }

    private static double found(GramMatrix gram, int points, int restarts) {
        return gram.squaredError(new LocalSearch(restarts).choose(gram, points, PointClouds.stream(61)));
    }

    /** The best of all subsets of three. */
    private static double optimum(GramMatrix gram) {
        double least = Double.POSITIVE_INFINITY;
        for (int a = 0; a < gram.size(); a++) {
            for (int b = a + 1; b < gram.size(); b++) {
                for (int c = b + 1; c < gram.size(); c++) {
                    WeightedPoints best = SimplexWeights.optimize(gram, WeightedPoints.equal(a, b, c));
                    least = Math.min(least, gram.squaredError(best));
                }
            }
        }
        return least;
    }

    @Test
    void isTheBestOfAllSubsetsAfterSomeRestartsAndNearlySoWithout() {
        for (int trial = 0; trial < 60; trial++) {
            GramMatrix gram = gram(10, trial);
            double optimum = optimum(gram);
            assertThat(found(gram, 3, 0)).isBetween(optimum * (1 - 1e-9), optimum * 2);
            assertThat(found(gram, 3, 20)).isBetween(optimum * (1 - 1e-9), optimum * (1 + 1e-9));
        }
    }

    @Test
    void isNeverWorseThanHerdingWithTheBestWeights() {
        for (int trial = 0; trial < 40; trial++) {
            GramMatrix gram = gram(30, trial);
            double herding = gram.squaredError(new Reweighted(new Herding()).choose(gram, 5, PointClouds.stream(62)));
            assertThat(found(gram, 5, 0)).isLessThanOrEqualTo(herding * (1 + 1e-9));
        }
    }

    @Test
    void noSingleExchangeIsBetter() {
        GramMatrix gram = gram(20, 2);
        WeightedPoints best = rule().choose(gram, 4, PointClouds.stream(63));
        assertThat(best.size()).isEqualTo(4);
        double value = gram.squaredError(best);
        for (int place = 0; place < 4; place++) {
            for (int other = 0; other < 20; other++) {
                int[] exchanged = best.indices().clone();
                exchanged[place] = other;
                if (Arrays.stream(exchanged).distinct().count() == 4) {
                    WeightedPoints rule = SimplexWeights.optimize(gram, WeightedPoints.equal(exchanged));
                    assertThat(gram.squaredError(rule)).isGreaterThan(value * (1 - 1e-6));
                }
            }
        }
    }

    @Test
    void moreSearchesAreNoWorse() {
        for (int trial = 0; trial < 10; trial++) {
            GramMatrix gram = gram(30, trial);
            assertThat(found(gram, 6, 3)).isLessThanOrEqualTo(found(gram, 6, 0));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> new LocalSearch(-1));
    }
}
