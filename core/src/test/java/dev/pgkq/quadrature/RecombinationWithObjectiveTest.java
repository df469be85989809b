package dev.pgkq.quadrature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.linalg.SymmetricEigen;
import org.junit.jupiter.api.Test;

class RecombinationWithObjectiveTest extends RecombinationContract {
    @Override
    QuadratureRule rule() {
        return new Recombination(true);
    }

    @Test
    void whatTheTestFunctionsLeaveOfTheKernelDoesNotGrow() {
        for (int trial = 0; trial < 20; trial++) {
            GramMatrix gram = PointClouds.gaussian(PointClouds.normal(50, 3, PointClouds.stream(40, trial)), 3, 3, 0.1);
            SymmetricEigen pairs = SymmetricEigen.largest(gram.values(), 50, 7);
            double[] residual = new double[50];
            double mean = 0;
            for (int i = 0; i < 50; i++) {
                residual[i] = gram.at(i, i);
                for (int j = 0; j < 7; j++) {
                    residual[i] -= pairs.values()[j] * pairs.vectors()[j][i] * pairs.vectors()[j][i];
                }
                mean += residual[i] / 50;
            }
            WeightedPoints chosen = rule().choose(gram, 8, PointClouds.stream(41));
            double integral = 0;
            for (int a = 0; a < chosen.size(); a++) {
                integral += chosen.weights()[a] * residual[chosen.indices()[a]];
            }
            assertThat(integral).isLessThan(mean * (1 + 1e-10));
        }
    }
}
