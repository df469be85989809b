package dev.pgkq.bayes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.linalg.Cholesky;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PosteriorTest {
    private static final int FEATURES = 5;

    private record Data(float[] rows, double[] values) {
        int size() {
            return values.length;
        }

        double at(int row, int feature) {
            return rows[row * FEATURES + feature];
        }

        NormalEquations sums() {
            try (Workers workers = new Workers(2)) {
                return NormalEquations.of(FEATURES, rows, values, workers);
            }
        }
    }

    private static Data data(int size, double weight, double noise, long seed) {
        RandomStream random = RandomStream.of(seed, Purpose.CHECK);
        double[] weights = new double[FEATURES];
        Arrays.setAll(weights, j -> weight * random.nextGaussian());
        float[] rows = new float[size * FEATURES];
        double[] values = new double[size];
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < FEATURES; j++) {
                rows[i * FEATURES + j] = (float) random.nextGaussian();
                values[i] += weights[j] * rows[i * FEATURES + j];
            }
            values[i] += noise * random.nextGaussian();
        }
        return new Data(rows, values);
    }

    /** The posterior mean is that of a Gaussian vector conditioned on the data: s² Φᵀ (s² Φ Φᵀ + σ² I)⁻¹ y. */
    @Test
    void theMeanIsThatOfConditionedGaussians() {
        Data data = data(8, 2, 0.5, 1);
        Posterior posterior = Posterior.of(data.sums());

        double variance = posterior.noise() / posterior.ridge();
        Cholesky covariance = Cholesky.of(covariance(data, variance, posterior.noise()), data.size())
                .orElseThrow();
        double[] solved = data.values.clone();
        covariance.solve(solved);
        for (int j = 0; j < FEATURES; j++) {
            double mean = 0;
            for (int i = 0; i < data.size(); i++) {
                mean += variance * data.at(i, j) * solved[i];
            }
            assertThat(posterior.mean()[j]).isCloseTo(mean, within(1e-9));
        }
    }

    /** s² Φ Φᵀ + σ² I. */
    private static double[] covariance(Data data, double variance, double noise) {
        int n = data.size();
        double[] covariance = new double[n * n];
        for (int a = 0; a < n; a++) {
            for (int b = 0; b < n; b++) {
                for (int j = 0; j < FEATURES; j++) {
                    covariance[a * n + b] += variance * data.at(a, j) * data.at(b, j);
                }
                covariance[a * n + b] += a == b ? noise : 0;
            }
        }
        return covariance;
    }

    /** No other ratio and no other σ² make the data more likely, but for the weak prior on the ratio. */
    @Test
    void ratioAndNoiseAreTheMostLikely() {
        Data data = data(40, 2, 0.5, 2);
        Posterior posterior = Posterior.of(data.sums());
        double unit = data.sums().meanSquare();
        double best = score(data, unit / posterior.ridge(), posterior.noise(), unit);

        assertThat(score(data, unit / posterior.ridge(), 1.05 * posterior.noise(), unit))
                .isLessThan(best);
        assertThat(score(data, unit / posterior.ridge(), 0.95 * posterior.noise(), unit))
                .isLessThan(best);
        for (double factor : new double[] {0.1, 0.5, 2, 10}) {
            for (double noise = 0.01; noise < 10; noise *= 1.1) {
                assertThat(score(data, factor * unit / posterior.ridge(), noise, unit))
                        .isLessThan(best);
            }
        }
    }

    /** log N(y; 0, s² Φ Φᵀ + σ² I) + the logarithm of the prior of ρ = s² · unit / σ², up to a constant. */
    private static double score(Data data, double ratio, double noise, double unit) {
        Cholesky covariance = Cholesky.of(covariance(data, ratio / unit * noise, noise), data.size())
                .orElseThrow();
        double[] solved = data.values.clone();
        covariance.solve(solved);
        double square = 0;
        for (int i = 0; i < solved.length; i++) {
            square += solved[i] * data.values[i];
        }
        double away = (Math.log10(ratio) - 1) / 2;
        return -0.5 * (square + covariance.logDeterminant() + away * away);
    }

    /** In 2,000 draws from the model, the squared error of a prediction over its predicted variance has mean 1. */
    @Test
    void predictedVariancesAreThoseOfDraws() {
        double sum = 0;
        int draws = 2000;
        for (int draw = 0; draw < draws; draw++) {
            Data data = data(61, 1, 1, 100 + draw);
            Data known = new Data(Arrays.copyOf(data.rows, 60 * FEATURES), Arrays.copyOf(data.values, 60));
            Posterior posterior = Posterior.of(known.sums());
            double error = data.values[60];
            double[] row = new double[FEATURES];
            for (int j = 0; j < FEATURES; j++) {
                row[j] = data.at(60, j);
                error -= posterior.mean()[j] * row[j];
            }
            sum += error * error / (posterior.noise() * (1 + squaredNorm(posterior.whitening(), row)));
        }
        // the standard error of the mean of 2,000 squares is √(2/2000) = 0.03; σ² is itself estimated from 60 values
        assertThat(sum / draws).isCloseTo(1, within(0.13));
    }

    private static double squaredNorm(double[] matrix, double[] vector) {
        double sum = 0;
        for (int i = 0; i < vector.length; i++) {
            double value = 0;
            for (int j = 0; j < vector.length; j++) {
                value += matrix[i * vector.length + j] * vector[j];
            }
            sum += value * value;
        }
        return sum;
    }

    @ParameterizedTest
    @ValueSource(doubles = {0x1p-40, 0x1p40})
    void theUnitDoesNotMatter(double factor) {
        Data data = data(30, 1, 1, 3);
        Data scaled = new Data(
                data.rows, Arrays.stream(data.values).map(v -> factor * v).toArray());
        Posterior own = Posterior.of(data.sums());
        Posterior other = Posterior.of(scaled.sums());

        assertThat(other.ridge()).isEqualTo(own.ridge());
        assertThat(other.noise()).isEqualTo(factor * factor * own.noise());
        assertThat(other.mean())
                .isEqualTo(Arrays.stream(own.mean()).map(v -> factor * v).toArray());
    }

    @Test
    void nothingIsKnownWithoutRows() {
        Posterior posterior = Posterior.of(new Data(new float[0], new double[0]).sums());

        assertThat(posterior.isInformed()).isFalse();
        assertThat(posterior.mean()).containsOnly(0);
        assertThat(posterior.whitening()).doesNotContain(Double.NaN, Double.POSITIVE_INFINITY);
    }

    /** Rewards that are all 0 say nothing about the size of errors. */
    @Test
    void valuesOfZeroSayNothingAboutNoise() {
        Data data = data(30, 0, 0, 4);
        Posterior posterior = Posterior.of(data.sums());

        assertThat(posterior.isInformed()).isFalse();
        assertThat(posterior.mean()).containsOnly(0);
    }

    @Test
    void valuesWithoutNoiseAreFollowed() {
        Data data = data(30, 1, 0, 5);
        Posterior posterior = Posterior.of(data.sums());

        double error = data.values[7];
        for (int j = 0; j < FEATURES; j++) {
            error -= posterior.mean()[j] * data.at(7, j);
        }
        assertThat(error).isCloseTo(0, within(1e-6));
        assertThat(posterior.noise()).isPositive();
    }

    @Test
    void equalFeaturesShareTheirWeight() {
        Data data = data(30, 1, 0.1, 6);
        for (int i = 0; i < data.size(); i++) {
            data.rows[i * FEATURES + 1] = data.rows[i * FEATURES];
        }
        double[] mean = Posterior.of(data.sums()).mean();

        assertThat(mean[0]).isCloseTo(mean[1], within(1e-9)).isNotNaN();
    }
}
