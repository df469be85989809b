package dev.pgkq.quadrature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class GramMatrixTest {
    @Test
    void squaredErrorIsTheDistanceOfTheMeansInFeatureSpace() {
        int size = 12;
        int dimension = 4;
        double[] features = PointClouds.normal(size, dimension, PointClouds.stream(1));
        GramMatrix gram = PointClouds.linear(features, dimension);
        WeightedPoints rule = new WeightedPoints(new int[] {3, 0, 7}, new double[] {0.5, 0.2, 0.3});
        double expected = 0;
        for (int d = 0; d < dimension; d++) {
            double gap = 0;
            for (int i = 0; i < size; i++) {
                gap -= features[i * dimension + d] / size;
            }
            for (int a = 0; a < 3; a++) {
                gap += rule.weights()[a] * features[rule.indices()[a] * dimension + d];
            }
            expected += gap * gap;
        }
        assertThat(gram.squaredError(rule)).isCloseTo(expected, offset(1e-12));
    }

    /** Proposition 1: for f ~ GP(0, K), E[(μ_n f − μ f)²] = wce². Draws are f = Φ g with K = Φ Φᵀ, g standard normal. */
    @Test
    void squaredErrorIsTheExpectedErrorUnderTheGaussianProcess() {
        int size = 16;
        int dimension = 5;
        double[] features = PointClouds.normal(size, dimension, PointClouds.stream(2));
        GramMatrix gram = PointClouds.linear(features, dimension);
        WeightedPoints rule = new Reweighted(new Herding()).choose(gram, 3, PointClouds.stream(3));
        RandomStream random = PointClouds.stream(4);
        int draws = 100_000;
        double sum = 0;
        for (int draw = 0; draw < draws; draw++) {
            double[] g = PointClouds.normal(dimension, 1, random);
            double gap = 0;
            for (int d = 0; d < dimension; d++) {
                double mean = 0;
                for (int i = 0; i < size; i++) {
                    mean += features[i * dimension + d] / size;
                }
                double chosen = 0;
                for (int a = 0; a < rule.size(); a++) {
                    chosen += rule.weights()[a] * features[rule.indices()[a] * dimension + d];
                }
                gap += (chosen - mean) * g[d];
            }
            sum += gap * gap;
        }
        double wce = gram.squaredError(rule);
        // the square of a normal deviate has variance 2 wce⁴
        assertThat(sum / draws).isCloseTo(wce, offset(5 * wce * Math.sqrt(2.0 / draws)));
    }

    @Test
    void theExpectedErrorOfARandomSubsetIsTheMeanOverSubsets() {
        GramMatrix gram = PointClouds.gaussian(PointClouds.normal(10, 2, PointClouds.stream(5)), 2, 4, 0.3);
        // all 120 subsets of 3
        double sum = 0;
        for (int a = 0; a < 10; a++) {
            for (int b = a + 1; b < 10; b++) {
                for (int c = b + 1; c < 10; c++) {
                    sum += gram.squaredError(WeightedPoints.equal(a, b, c));
                }
            }
        }
        assertThat(gram.expectedSquaredErrorOfRandom(3)).isCloseTo(sum / 120, offset(1e-12));
        assertThat(gram.expectedSquaredErrorOfRandom(10)).isZero();
    }

    @Test
    void matricesThatAreNoKernelsAreRefusedWithTheReason() {
        assertThatThrownBy(() -> GramMatrix.of(new double[] {1, Double.NaN, Double.NaN, 1}))
                .hasMessageContaining("the kernel of points 0 and 1 is NaN");
        assertThatThrownBy(() -> GramMatrix.of(new double[] {1, 2, 0, 1})).hasMessageContaining("not symmetric");
        assertThatThrownBy(() -> GramMatrix.of(new double[] {-1})).hasMessageContaining("must not be negative");
        assertThatThrownBy(() -> GramMatrix.of(new double[3])).hasMessageContaining("square");
        assertThatThrownBy(() -> GramMatrix.of(new double[0])).hasMessageContaining("not empty");
    }

    @Test
    void ofEqualPointsARandomSubsetHasNoError() {
        for (int trial = 0; trial < 50; trial++) {
            double[] values = new double[7 * 7];
            Arrays.fill(values, 0.1 + trial / 7.0);
            assertThat(GramMatrix.of(values).expectedSquaredErrorOfRandom(3)).isBetween(0.0, 1e-12);
        }
    }
}
