package dev.pgkq.quadrature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.linalg.Cholesky;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PursuitTest extends OrderFreeRuleContract {
    @Override
    QuadratureRule rule() {
        return new Pursuit();
    }

    /** Each next point is the one that leaves least of the variance of Bayesian quadrature: tried by brute force. */
    @Test
    void everyPointIsTheBestNextOne() {
        for (int trial = 0; trial < 10; trial++) {
            GramMatrix gram = PointClouds.gaussian(PointClouds.normal(15, 2, PointClouds.stream(8, trial)), 2, 3, 0.01);
            int[] chosen = Pursuit.points(gram, 4);
            for (int t = 1; t < chosen.length; t++) {
                double reached = leftOver(gram, chosen, t + 1);
                for (int other = 0; other < 15; other++) {
                    int[] tried = Arrays.copyOf(chosen, t + 1);
                    tried[t] = other;
                    // points that would want a negative weight are left alone, so one of them might leave less
                    if (!isIn(chosen, t, other) && wantsPositiveWeight(gram, chosen, t, other)) {
                        assertThat(leftOver(gram, tried, t + 1)).isGreaterThan(reached - 1e-12);
                    }
                }
            }
        }
    }

    private static boolean isIn(int[] points, int count, int point) {
        return Arrays.stream(points, 0, count).anyMatch(index -> index == point);
    }

    /** c − z_Iᵀ K_II⁻¹ z_I. */
    private static double leftOver(GramMatrix gram, int[] points, int count) {
        double[] weights = unconstrained(gram, points, count);
        double left = gram.mean();
        for (int a = 0; a < count; a++) {
            left -= weights[a] * gram.meanAt(points[a]);
        }
        return left;
    }

    private static boolean wantsPositiveWeight(GramMatrix gram, int[] points, int count, int other) {
        double[] weights = unconstrained(gram, points, count);
        double gap = gram.meanAt(other);
        for (int a = 0; a < count; a++) {
            gap -= weights[a] * gram.at(points[a], other);
        }
        return gap > 0;
    }

    private static double[] unconstrained(GramMatrix gram, int[] points, int count) {
        double[] matrix = new double[count * count];
        double[] solution = new double[count];
        for (int a = 0; a < count; a++) {
            solution[a] = gram.meanAt(points[a]);
            for (int b = 0; b < count; b++) {
                matrix[a * count + b] = gram.at(points[a], points[b]);
            }
        }
        Cholesky.ofNearlySingular(matrix, count).solve(solution);
        return solution;
    }

    /** A few huge points must not be taken just because they are huge. */
    @Test
    void copesWithPointsOfVeryDifferentSizeBetterThanHerding() {
        double ours = 0;
        double herding = 0;
        for (int trial = 0; trial < 20; trial++) {
            GramMatrix smooth = PointClouds.gaussian(PointClouds.normal(40, 3, PointClouds.stream(9, trial)), 3, 6, 0);
            double[] values = new double[40 * 40];
            for (int i = 0; i < 40; i++) {
                for (int j = 0; j < 40; j++) {
                    values[i * 40 + j] = (i % 5 == 0 ? 6 : 1) * (j % 5 == 0 ? 6 : 1) * smooth.at(i, j);
                }
            }
            GramMatrix gram = GramMatrix.of(values);
            ours += gram.squaredError(valid(gram, 6));
            herding += gram.squaredError(new Reweighted(new Herding()).choose(gram, 6, PointClouds.stream(10, trial)));
        }
        assertThat(ours).isLessThan(0.8 * herding);
    }
}
