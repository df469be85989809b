package dev.pgkq.quadrature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SimplexWeightsTest {
    @Test
    void agreesWithBruteForceOnThreePoints() {
        for (int trial = 0; trial < 20; trial++) {
            GramMatrix gram = PointClouds.gaussian(PointClouds.normal(12, 2, PointClouds.stream(1, trial)), 2, 4, 0);
            double best = Double.POSITIVE_INFINITY;
            int steps = 400;
            for (int a = 0; a <= steps; a++) {
                for (int b = 0; a + b <= steps; b++) {
                    double[] weights = {(double) a / steps, (double) b / steps, (double) (steps - a - b) / steps};
                    best = Math.min(best, gram.squaredError(new WeightedPoints(new int[] {0, 1, 2}, weights)));
                }
            }
            double found = gram.squaredError(SimplexWeights.optimize(gram, WeightedPoints.equal(0, 1, 2)));
            // the grid's best is at most a quadratic distance of one step away from the optimum
            assertThat(found).isLessThanOrEqualTo(best + 1e-12).isGreaterThan(best - 4.0 / (steps * steps));
        }
    }

    @Test
    void satisfiesTheOptimalityConditions() {
        for (int trial = 0; trial < 30; trial++) {
            GramMatrix gram = PointClouds.gaussian(PointClouds.normal(40, 3, PointClouds.stream(2, trial)), 3, 3, 0.01);
            int[] points = new int[10];
            Arrays.setAll(points, i -> 3 * i);
            WeightedPoints optimum = SimplexWeights.optimize(gram, WeightedPoints.equal(points));
            double[] slopes = new double[40];
            double level = 0;
            for (int i : points) {
                slopes[i] = -gram.meanAt(i);
                for (int a = 0; a < optimum.size(); a++) {
                    slopes[i] += optimum.weights()[a] * gram.at(i, optimum.indices()[a]);
                }
            }
            for (int a = 0; a < optimum.size(); a++) {
                level += optimum.weights()[a] * slopes[optimum.indices()[a]];
            }
            // equal slopes where there is weight, none lower anywhere
            for (int i : points) {
                boolean weighted = Arrays.stream(optimum.indices()).anyMatch(index -> index == i);
                if (weighted) {
                    assertThat(slopes[i]).isCloseTo(level, offset(1e-9));
                } else {
                    assertThat(slopes[i]).isGreaterThan(level - 1e-9);
                }
            }
        }
    }

    @Test
    void neverMakesARuleWorse() {
        for (int trial = 0; trial < 50; trial++) {
            GramMatrix gram = PointClouds.gaussian(
                    PointClouds.normal(30, 2, PointClouds.stream(3, trial)), 2, 1 + trial, trial % 3 * 0.5);
            WeightedPoints rule = new RandomSubset().choose(gram, 6, PointClouds.stream(4, trial));
            assertThat(gram.squaredError(SimplexWeights.optimize(gram, rule)))
                    .isLessThanOrEqualTo(gram.squaredError(rule));
        }
    }

    @Test
    void pointsThatAreTheSameShareTheirWeightWithoutHarm() {
        GramMatrix gram = PointClouds.gaussian(new double[] {0, 0, 0, 0, 1, 1, 0, 0}, 2, 2, 0);
        WeightedPoints optimum = SimplexWeights.optimize(gram, WeightedPoints.equal(0, 1, 2));
        assertThat(gram.squaredError(optimum)).isCloseTo(0, offset(1e-12));
    }
}
