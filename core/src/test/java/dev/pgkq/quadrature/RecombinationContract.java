package dev.pgkq.quadrature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.linalg.SymmetricEigen;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What recombination does besides what every rule does. */
abstract class RecombinationContract extends QuadratureRuleContract {
    @ParameterizedTest
    @CsvSource({"64, 8", "64, 20", "200, 8", "17, 16", "30, 2", "1100, 16"})
    void keepsTheIntegralsOfItsTestFunctions(int size, int points) {
        GramMatrix gram = PointClouds.gaussian(PointClouds.normal(size, 5, PointClouds.stream(30, size)), 5, 10, 0.01);
        WeightedPoints chosen = rule().choose(gram, points, PointClouds.stream(31));
        SymmetricEigen pairs = SymmetricEigen.largest(gram.values(), size, points - 1);
        for (int j = 0; j < points - 1; j++) {
            double mean = 0;
            double scale = 0;
            for (int i = 0; i < size; i++) {
                mean += pairs.vectors()[j][i] / size;
                scale = Math.max(scale, Math.abs(pairs.vectors()[j][i]));
            }
            double integral = 0;
            for (int a = 0; a < chosen.size(); a++) {
                integral += chosen.weights()[a] * pairs.vectors()[j][chosen.indices()[a]];
            }
            assertThat(integral).as("%d of %d, test %d", points, size, j).isCloseTo(mean, offset(1e-10 * scale));
        }
    }

    @Test
    void isExactOnKernelsOfLowRank() {
        // rank 3: three test functions and the constant are all there is
        GramMatrix gram = PointClouds.linear(PointClouds.normal(40, 3, PointClouds.stream(32)), 3);
        WeightedPoints chosen = rule().choose(gram, 4, PointClouds.stream(33));
        assertThat(gram.squaredError(chosen)).isCloseTo(0, offset(1e-10));
    }
}
