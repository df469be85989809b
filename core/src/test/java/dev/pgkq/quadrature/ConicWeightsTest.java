package dev.pgkq.quadrature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ConicWeightsTest {
    @Test
    void satisfiesTheOptimalityConditions() {
        int dropped = 0;
        for (int trial = 0; trial < 40; trial++) {
            GramMatrix gram = PointClouds.gaussian(PointClouds.normal(40, 3, PointClouds.stream(2, trial)), 3, 3, 0.01);
            int[] points = new int[10];
            int first = trial % 3;
            Arrays.setAll(points, i -> 3 * i + first);
            double[] weights = ConicWeights.of(gram, points);
            for (int a = 0; a < points.length; a++) {
                double slope = -gram.meanAt(points[a]);
                for (int b = 0; b < points.length; b++) {
                    slope += weights[b] * gram.at(points[a], points[b]);
                }
                // no slope where there is weight, none downhill where there is none
                if (weights[a] > 0) {
                    assertThat(slope).isCloseTo(0, offset(1e-9));
                } else {
                    assertThat(weights[a]).isZero();
                    assertThat(slope).isGreaterThan(-1e-9);
                    dropped++;
                }
            }
        }
        assertThat(dropped).as("a bound that never binds is not tested").isPositive();
    }

    @Test
    void isNeverWorseThanTheSimplex() {
        for (int trial = 0; trial < 20; trial++) {
            GramMatrix gram = PointClouds.gaussian(PointClouds.normal(30, 4, PointClouds.stream(3, trial)), 4, 1, 0.1);
            int[] points = {1, 5, 9, 20};
            double[] weights = ConicWeights.of(gram, points);
            double error = gram.mean();
            for (int a = 0; a < 4; a++) {
                error -= 2 * weights[a] * gram.meanAt(points[a]);
                for (int b = 0; b < 4; b++) {
                    error += weights[a] * weights[b] * gram.at(points[a], points[b]);
                }
            }
            double simplex = gram.squaredError(SimplexWeights.optimize(gram, WeightedPoints.equal(points)));
            assertThat(error).isLessThanOrEqualTo(simplex + 1e-12);
        }
    }

    /** Where points have nothing in common, each speaks for itself alone: 1/N. */
    @Test
    void ofWhiteNoiseEveryPointGetsItsShare() {
        int size = 12;
        double[] values = new double[size * size];
        for (int i = 0; i < size; i++) {
            values[i * size + i] = 1 + i;
        }
        for (double weight : ConicWeights.of(GramMatrix.of(values), new int[] {0, 4, 11})) {
            assertThat(weight).isCloseTo(1.0 / size, offset(1e-12));
        }
    }

    @Test
    void equalPointsAndZeroKernelsAreNoProblem() {
        double[] ones = new double[25];
        Arrays.fill(ones, 1);
        assertThat(Arrays.stream(ConicWeights.of(GramMatrix.of(ones), new int[] {0, 1, 2}))
                        .sum())
                .isCloseTo(1, offset(1e-9));
        assertThat(ConicWeights.of(GramMatrix.of(new double[25]), new int[] {0, 1}))
                .containsExactly(0, 0);
    }
}
