package dev.pgkq.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.benchmarks.SobolevExperiments.Method;
import dev.pgkq.benchmarks.SobolevExperiments.Published;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SobolevTest {
    /** ζ(2) and ζ(6). */
    private static double zeta(int twice) {
        return twice == 2 ? Math.pow(Math.PI, 2) / 6 : Math.pow(Math.PI, 6) / 945;
    }

    private static double[] equal(int n) {
        double[] weights = new double[n];
        Arrays.fill(weights, 1.0 / n);
        return weights;
    }

    @Test
    void theKernelIsItsFourierSeries() {
        double[] x = {0.17};
        double[] y = {0.83};
        for (int s : new int[] {1, 3}) {
            double series = 1;
            for (int k = 1; k < 200_000; k++) {
                series += 2 * Math.cos(2 * Math.PI * k * (y[0] - x[0])) / Math.pow(k, 2 * s);
            }
            assertThat(new Sobolev(1, s).at(x, y)).isCloseTo(series, within(1e-9));
            assertThat(new Sobolev(1, s).at(y, x)).isEqualTo(new Sobolev(1, s).at(x, y));
        }
        assertThat(new Sobolev(2, 1).at(new double[] {0, 0.17}, new double[] {0, 0.83}))
                .isCloseTo((1 + 2 * zeta(2)) * new Sobolev(1, 1).at(x, y), within(1e-12));
    }

    @Test
    void theUniformGridHasItsKnownError() {
        int n = 6;
        double[][] grid = new double[n][1];
        for (int i = 0; i < n; i++) {
            grid[i][0] = (i + 0.3) / n;
        }
        for (int s : new int[] {1, 3}) {
            assertThat(new Sobolev(1, s).squaredError(grid, equal(n)))
                    .isCloseTo(2 * zeta(2 * s) / Math.pow(n, 2 * s), within(1e-12));
        }
    }

    @Test
    void otherSmoothnessIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Sobolev(1, 2));
        assertThatIllegalArgumentException().isThrownBy(() -> new Sobolev(0, 1));
    }

    /** The slope of wce² is 0 where the weight is positive, and nowhere negative. */
    @Test
    void refittedWeightsAreOptimal() {
        Sobolev kernel = new Sobolev(2, 1);
        for (int trial = 0; trial < 20; trial++) {
            double[][] points = kernel.uniform(12, RandomStream.of(trial, Purpose.CHECK));
            double[] weights = SobolevExperiments.bestWeights(kernel, points);
            assertThat(kernel.squaredError(points, weights)).isLessThan(kernel.squaredError(points, equal(12)));
            for (int i = 0; i < 12; i++) {
                double slope = -1;
                for (int j = 0; j < 12; j++) {
                    slope += kernel.at(points[i], points[j]) * weights[j];
                }
                assertThat(weights[i]).isNotNegative();
                assertThat(weights[i] > 0 ? -Math.abs(slope) : slope).isGreaterThan(-1e-9);
            }
        }
    }

    @Test
    void monteCarloHasItsExpectedError() {
        Sobolev kernel = new Sobolev(1, 1);
        int trials = 4000;
        double sum = 0;
        double squares = 0;
        for (int trial = 0; trial < trials; trial++) {
            double error = SobolevExperiments.error(kernel, Method.MONTE_CARLO, 8, trial);
            sum += error;
            squares += error * error;
        }
        double mean = sum / trials;
        double standardError = Math.sqrt((squares / trials - mean * mean) / trials);
        assertThat(mean).isCloseTo(2 * zeta(2) / 8, within(5 * standardError));
    }

    @Test
    void everyPublishedLineHasAFigureForEachNumberOfPointsAndCanBeRepeated() {
        for (Published published : SobolevExperiments.TABLE) {
            assertThat(published.figures()).hasSize(5).allMatch(figure -> figure.matches("[0-9.e±-]+"));
            double error = SobolevExperiments.error(published.kernel(), published.method(), 8, 0);
            double mean = Double.parseDouble(published.figures().get(1).replaceFirst("±.*", ""));
            // a single trial
            assertThat(error).isBetween(mean / 10, mean * 10);
        }
    }

    @Test
    void aMeanWithinAFactorOfTwoIsInside() {
        assertThat(SobolevExperiments.row("a", new double[] {0.1, 0.3}, "1.01e-1±1.0e-2")
                        .cells())
                .containsExactly("a", "2.00e-1±1.0e-1", "1.01e-1±1.0e-2", "1.98", "0.5 to 2", "inside");
        assertThat(SobolevExperiments.row("a", new double[] {2, 2.2}, "1.0").verdict())
                .isEqualTo("outside");
        assertThat(SobolevExperiments.row("a", new double[] {1}, "2.1").verdict())
                .isEqualTo("outside");
        assertThat(SobolevExperiments.row("a", new double[] {12}, "12").ours()).startsWith("1.20e+1");
    }
}
