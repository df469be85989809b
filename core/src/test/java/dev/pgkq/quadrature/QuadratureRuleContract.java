package dev.pgkq.quadrature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every rule must do, on kernels good and bad. */
abstract class QuadratureRuleContract {
    abstract QuadratureRule rule();

    final WeightedPoints valid(GramMatrix gram, int points) {
        WeightedPoints chosen = rule().choose(gram, points, PointClouds.stream(1, gram.size(), points));
        assertThat(chosen.size()).isBetween(1, points);
        assertThat(chosen.indices()).doesNotHaveDuplicates();
        assertThat(Arrays.stream(chosen.indices())).allMatch(i -> i >= 0 && i < gram.size());
        for (double weight : chosen.weights()) {
            assertThat(weight).isGreaterThanOrEqualTo(0);
        }
        assertThat(Arrays.stream(chosen.weights()).sum()).isCloseTo(1, offset(1e-12));
        return chosen;
    }

    @Test
    void choosesAtMostSoManyDistinctPointsWithWeightsOnTheSimplex() {
        for (int size = 1; size <= 20; size++) {
            GramMatrix gram = PointClouds.gaussian(PointClouds.normal(size, 2, PointClouds.stream(2, size)), 2, 4, 0);
            for (int points = 1; points <= size + 2; points++) {
                valid(gram, points);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 7, 100})
    void noMorePointsThanWantedMeansAllOfThemWithEqualWeights(int points) {
        GramMatrix gram = PointClouds.gaussian(PointClouds.normal(6, 2, PointClouds.stream(3)), 2, 4, 0);
        WeightedPoints all = valid(gram, points);
        assertThat(all.size()).isEqualTo(6);
        assertThat(gram.squaredError(all)).isCloseTo(0, offset(1e-15));
    }

    @Test
    void isDeterministicForASeed() {
        GramMatrix gram = PointClouds.gaussian(PointClouds.normal(40, 3, PointClouds.stream(4)), 3, 6, 0.1);
        WeightedPoints once = rule().choose(gram, 8, PointClouds.stream(5));
        WeightedPoints again = rule().choose(gram, 8, PointClouds.stream(5));
        assertThat(again.indices()).isEqualTo(once.indices());
        assertThat(again.weights()).isEqualTo(once.weights());
    }

    @Test
    void copesWithDuplicatePoints() {
        double[] points = PointClouds.normal(16, 2, PointClouds.stream(8));
        System.arraycopy(points, 0, points, 16, 16);
        GramMatrix gram = PointClouds.gaussian(points, 2, 4, 0);
        for (int n : new int[] {1, 3, 8, 12}) {
            valid(gram, n);
        }
        valid(PointClouds.gaussian(new double[20], 2, 4, 0), 4);
    }

    @Test
    void copesWithKernelsOfRankOneAndZero() {
        valid(PointClouds.linear(PointClouds.normal(20, 1, PointClouds.stream(9)), 1), 5);
        valid(GramMatrix.of(new double[400]), 5);
    }

    @Test
    void copesWithOneHugeDiagonalEntry() {
        GramMatrix gram = PointClouds.gaussian(PointClouds.normal(20, 2, PointClouds.stream(10)), 2, 4, 0);
        double[] values = new double[400];
        for (int i = 0; i < 20; i++) {
            for (int j = 0; j < 20; j++) {
                values[i * 20 + j] = gram.at(i, j) + (i == 7 && j == 7 ? 1e9 : 0);
            }
        }
        valid(GramMatrix.of(values), 5);
    }

    @Test
    void aKernelOfVeryLargeOrSmallScaleIsTheSameProblem() {
        double[] points = PointClouds.normal(24, 2, PointClouds.stream(12));
        GramMatrix gram = PointClouds.gaussian(points, 2, 4, 0);
        WeightedPoints expected = rule().choose(gram, 6, PointClouds.stream(13));
        for (double scale : new double[] {0x1p-40, 0x1p40}) {
            double[] values = new double[24 * 24];
            for (int i = 0; i < 24; i++) {
                for (int j = 0; j < 24; j++) {
                    values[i * 24 + j] = scale * gram.at(i, j);
                }
            }
            assertThat(rule().choose(GramMatrix.of(values), 6, PointClouds.stream(13))
                            .indices())
                    .isEqualTo(expected.indices());
        }
    }

    @Test
    void choosingNoPointIsRefused() {
        assertThatThrownBy(() -> rule().choose(GramMatrix.of(new double[4]), 0, PointClouds.stream(14)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
