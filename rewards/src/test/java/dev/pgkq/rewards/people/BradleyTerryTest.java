package dev.pgkq.rewards.people;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.rewards.people.BradleyTerry.Comparison;
import dev.pgkq.rewards.people.BradleyTerry.Fit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BradleyTerryTest {
    private static final int N = 5;

    private static double[] diagonal(int n, double value) {
        double[] matrix = new double[n * n];
        for (int i = 0; i < n; i++) {
            matrix[i * n + i] = value;
        }
        return matrix;
    }

    /** Positive definite and not diagonal. */
    private static double[] precision(int n) {
        double[] matrix = diagonal(n, 0.7);
        for (int i = 0; i < n * n; i++) {
            matrix[i] += 0.05;
        }
        return matrix;
    }

    private static BradleyTerry problem(Random random) {
        double[] mean = random.doubles(N).toArray();
        List<Comparison> comparisons = new ArrayList<>();
        for (int c = 0; c < 12; c++) {
            int first = random.nextInt(N);
            int second = (first + 1 + random.nextInt(N - 1)) % N;
            comparisons.add(new Comparison(first, second, random.nextInt(3) / 2.0));
        }
        return new BradleyTerry(mean, precision(N), comparisons);
    }

    private static double[] moved(double[] point, int i, double by) {
        double[] other = point.clone();
        other[i] += by;
        return other;
    }

    @Test
    void theGradientIsThatOfFiniteDifferences() {
        Random random = new Random(1);
        BradleyTerry problem = problem(random);
        double[] s = random.doubles(N, -2, 2).toArray();
        double h = 1e-5;
        for (int i = 0; i < N; i++) {
            double difference = (problem.value(moved(s, i, h)) - problem.value(moved(s, i, -h))) / (2 * h);
            assertThat(problem.gradient(s)[i]).isCloseTo(difference, within(1e-8));
        }
    }

    @Test
    void theInformationIsThatOfFiniteDifferencesOfTheGradient() {
        Random random = new Random(2);
        BradleyTerry problem = problem(random);
        double[] s = random.doubles(N, -2, 2).toArray();
        double h = 1e-5;
        for (int i = 0; i < N; i++) {
            double[] up = problem.gradient(moved(s, i, h));
            double[] down = problem.gradient(moved(s, i, -h));
            for (int j = 0; j < N; j++) {
                assertThat(problem.information(s)[i * N + j]).isCloseTo(-(up[j] - down[j]) / (2 * h), within(1e-8));
            }
        }
    }

    /** With prior N(0, τ²) and one win, s = (d, −d)/2 where d solves 1/(1 + e^d) = d / (2τ²): found by bisection here. */
    @Test
    void twoOfWhichOneWonAreAsFarApartAsTheClosedFormSays() {
        double variance = 4;
        Fit fit = new BradleyTerry(new double[2], diagonal(2, 1 / variance), List.of(new Comparison(0, 1, 1))).fit();

        double low = 0;
        double high = 10;
        for (int i = 0; i < 100; i++) {
            double middle = (low + high) / 2;
            if (1 / (1 + Math.exp(middle)) > middle / (2 * variance)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        assertThat(fit.scores()[0]).isCloseTo(low / 2, within(1e-10));
        assertThat(fit.scores()[1]).isCloseTo(-low / 2, within(1e-10));
        // In the directions (1, 1) and (1, −1) the information is 1/τ² and 1/τ² + 2 p (1 − p).
        double p = 1 / (1 + Math.exp(-low));
        double error = Math.sqrt(0.5 * variance + 0.5 / (1 / variance + 2 * p * (1 - p)));
        assertThat(fit.error(0)).isCloseTo(error, within(1e-10));
    }

    @Test
    void whoeverIsNotComparedKeepsThePrior() {
        Fit fit = new BradleyTerry(new double[] {1, 2, 3}, diagonal(3, 0.25), List.of(new Comparison(0, 1, 0.5))).fit();

        assertThat(fit.scores()[2]).isCloseTo(3, within(1e-12));
        assertThat(fit.error(2)).isCloseTo(2, within(1e-12));
    }

    @Test
    void namesAndTheOrderInAPairDoNotMatter() {
        List<Comparison> one = List.of(new Comparison(0, 1, 1), new Comparison(1, 2, 0.5), new Comparison(2, 0, 0));
        List<Comparison> other = List.of(new Comparison(1, 2, 0), new Comparison(0, 1, 0.5), new Comparison(2, 0, 1));
        // The other swaps items 0 and 2, and reverses the pairs.
        Fit fit = new BradleyTerry(new double[3], diagonal(3, 1), one).fit();
        Fit renamed = new BradleyTerry(new double[3], diagonal(3, 1), other).fit();

        assertThat(renamed.scores()[2]).isCloseTo(fit.scores()[0], within(1e-12));
        assertThat(renamed.scores()[1]).isCloseTo(fit.scores()[1], within(1e-12));
        assertThat(renamed.scores()[0]).isCloseTo(fit.scores()[2], within(1e-12));
    }

    @Test
    void anotherLevelOfThePriorMovesAllScoresByAsMuch() {
        Random random = new Random(3);
        List<Comparison> comparisons =
                List.of(new Comparison(0, 1, 1), new Comparison(1, 2, 1), new Comparison(2, 3, 0));
        double[] mean = random.doubles(4).toArray();
        double[] raised = new double[4];
        for (int i = 0; i < 4; i++) {
            raised[i] = mean[i] + 7;
        }
        Fit fit = new BradleyTerry(mean, diagonal(4, 0.3), comparisons).fit();
        Fit up = new BradleyTerry(raised, diagonal(4, 0.3), comparisons).fit();

        for (int i = 0; i < 4; i++) {
            assertThat(up.scores()[i]).isCloseTo(fit.scores()[i] + 7, within(1e-10));
        }
    }

    @Test
    void oneThatWinsAThousandTimesStaysFinite() {
        List<Comparison> wins = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            wins.add(new Comparison(0, 1, 1));
        }
        Fit fit = new BradleyTerry(new double[2], diagonal(2, 0.25), wins).fit();

        assertThat(fit.scores()[0]).isBetween(2.0, 10.0);
    }

    /**
     * Scores are drawn from the prior, outcomes from the model: then (fitted − true) / error has variance 1, except for the error of
     * the Gaussian approximation of the posterior. Its mean square over M scores is within five standard errors √(2/M), plus 0.1 for
     * the approximation.
     */
    @Test
    void knownScoresAreFoundWithinTheErrorsThatTheFitTells() {
        Random random = new Random(4);
        int n = 8;
        double spread = 2;
        int trials = 400;
        double squares = 0;
        double bias = 0;
        for (int trial = 0; trial < trials; trial++) {
            double[] truth = new double[n];
            for (int i = 0; i < n; i++) {
                truth[i] = spread * random.nextGaussian();
            }
            List<Comparison> comparisons = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < i; j++) {
                    double p = 1 / (1 + Math.exp(truth[j] - truth[i]));
                    comparisons.add(new Comparison(i, j, random.nextDouble() < p ? 1 : 0));
                }
            }
            Fit fit = new BradleyTerry(new double[n], diagonal(n, 1 / (spread * spread)), comparisons).fit();
            for (int i = 0; i < n; i++) {
                double z = (fit.scores()[i] - truth[i]) / fit.error(i);
                squares += z * z;
                bias += z;
            }
        }
        int m = trials * n;
        assertThat(squares / m).isCloseTo(1, within(0.1 + 5 * Math.sqrt(2.0 / m)));
        assertThat(bias / m).isCloseTo(0, within(5 / Math.sqrt(m)));
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> new Comparison(1, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Comparison(0, 1, Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new BradleyTerry(new double[2], diagonal(2, 1), List.of(new Comparison(0, 2, 1))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new BradleyTerry(new double[2], new double[4], List.of()).fit())
                .hasMessageContaining("positive definite");
    }
}
