package dev.pgkq.quadrature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.linalg.SymmetricEigen;
import dev.pgkq.random.RandomStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The periodic Sobolev experiments of the paper on positively weighted kernel quadrature, with fewer trials: kernel
 * Π_d (1 + (−1)^{s−1} (2π)^{2s}/(2s)! B_{2s}(|x_d − y_d|)) on the unit cube, target the Lebesgue measure, so that wce² =
 * 1 − 2 Σ w_i + wᵀ K w. n² uniform points are recombined, with test functions from a Nyström sample of 10 n points.
 */
class SobolevTest {
    private static final int TRIALS = 6;

    /** Smoothness 1 or 3. */
    private record Sobolev(int dimension, int smoothness) {
        double at(double[] x, double[] y) {
            double product = 1;
            for (int d = 0; d < dimension; d++) {
                double t = Math.abs(x[d] - y[d]);
                double pi2 = Math.PI * Math.PI;
                product *= smoothness == 1
                        ? 1 + 2 * pi2 * (t * t - t + 1.0 / 6)
                        : 1
                                + 4
                                        * pi2
                                        * pi2
                                        * pi2
                                        / 45
                                        * (Math.pow(t, 6)
                                                - 3 * Math.pow(t, 5)
                                                + 2.5 * Math.pow(t, 4)
                                                - t * t / 2
                                                + 1.0 / 42);
            }
            return product;
        }

        double[][] uniform(int count, RandomStream random) {
            double[][] points = new double[count][dimension];
            for (double[] point : points) {
                for (int d = 0; d < dimension; d++) {
                    point[d] = random.nextDouble();
                }
            }
            return points;
        }

        double squaredError(double[][] points, WeightedPoints rule) {
            double sum = 1;
            for (int a = 0; a < rule.size(); a++) {
                sum -= 2 * rule.weights()[a];
                for (int b = 0; b < rule.size(); b++) {
                    sum += rule.weights()[a]
                            * rule.weights()[b]
                            * at(points[rule.indices()[a]], points[rule.indices()[b]]);
                }
            }
            return sum;
        }

        double[] gram(double[][] points) {
            double[] values = new double[points.length * points.length];
            for (int i = 0; i < points.length; i++) {
                for (int j = 0; j < points.length; j++) {
                    values[i * points.length + j] = at(points[i], points[j]);
                }
            }
            return values;
        }
    }

    private static double recombination(Sobolev kernel, int n) {
        double sum = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            RandomStream random = PointClouds.stream(50, kernel.dimension, kernel.smoothness, n, trial);
            double[][] points = kernel.uniform(n * n, random);
            double[][] nystrom = kernel.uniform(10 * n, random);
            SymmetricEigen pairs = SymmetricEigen.largest(kernel.gram(nystrom), nystrom.length, n - 1);
            double[][] tests = new double[n - 1][points.length];
            double[] residual = new double[points.length];
            for (int i = 0; i < points.length; i++) {
                residual[i] = kernel.at(points[i], points[i]);
                for (int j = 0; j < n - 1; j++) {
                    for (int z = 0; z < nystrom.length; z++) {
                        tests[j][i] += pairs.vectors()[j][z] * kernel.at(nystrom[z], points[i]);
                    }
                    residual[i] -= tests[j][i] * tests[j][i] / pairs.values()[j];
                }
            }
            sum += kernel.squaredError(points, Recombination.recombine(tests, residual));
        }
        return sum / TRIALS;
    }

    private static void within(double found, double published) {
        assertThat(found).isBetween(published / 2, published * 2);
    }

    @Test
    void oneDimensionSmoothnessOne() {
        Sobolev kernel = new Sobolev(1, 1);
        within(recombination(kernel, 4), 4.89e-1);
        within(recombination(kernel, 8), 1.27e-1);
        within(recombination(kernel, 16), 3.13e-2);
        within(recombination(kernel, 32), 7.55e-3);
    }

    @Test
    void twoDimensionsSmoothnessOne() {
        Sobolev kernel = new Sobolev(2, 1);
        within(recombination(kernel, 4), 4.94);
        within(recombination(kernel, 8), 1.73);
        within(recombination(kernel, 16), 7.03e-1);
        within(recombination(kernel, 32), 2.40e-1);
    }

    @Test
    @Tag("slow")
    void threeDimensionsSmoothnessThree() {
        Sobolev kernel = new Sobolev(3, 3);
        within(recombination(kernel, 4), 8.59);
        within(recombination(kernel, 8), 3.26);
        within(recombination(kernel, 16), 1.09);
        within(recombination(kernel, 32), 6.44e-2);
    }

    @Test
    void theUniformGridHasItsKnownError() {
        // 2 ζ(2s) / n^{2s} with ζ(2) = π²/6
        Sobolev kernel = new Sobolev(1, 1);
        int n = 10;
        double[][] grid = new double[n][1];
        for (int i = 0; i < n; i++) {
            grid[i][0] = (i + 0.5) / n;
        }
        assertThat(kernel.squaredError(grid, WeightedPoints.all(n)))
                .isCloseTo(2 * Math.PI * Math.PI / 6 / (n * n), offset(1e-10));
    }
}
