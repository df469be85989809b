package dev.pgkq.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.bayes.BatchFeatures;
import dev.pgkq.episode.Steps;
import dev.pgkq.linalg.Cholesky;
import dev.pgkq.model.BayesianRewardModel;
import dev.pgkq.model.StepDescription;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.Grain;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the choice with dense formulas: E = (1/N) Σ Var_j + Var of the mean, with P inverted once for every set of items. */
class ItemSelectorTest {
    private static final int WIDTH = 2;
    private static final int[] NONE = {};

    private final Workers workers = new Workers(2);
    private final RandomStream random = RandomStream.of(3, Purpose.CHECK);

    @AfterEach
    void stop() {
        workers.close();
    }

    private Steps steps(int count, int length) {
        float[] features = new float[count * length * WIDTH];
        for (int i = 0; i < features.length; i++) {
            features[i] = (float) random.nextGaussian();
        }
        int[] starts = IntStream.rangeClosed(0, count).map(i -> i * length).toArray();
        return new Steps(starts, features, new float[0], new float[0]);
    }

    private BayesianRewardModel taught(Grain grain, int length) {
        BayesianRewardModel model = new BayesianRewardModel(StepDescription.features(WIDTH), grain, 1, 1, workers);
        Steps steps = steps(9, length);
        double[] rewards = new double[steps.size()];
        for (int i = 0; i < rewards.length; i++) {
            boolean counts = grain == Grain.STEP || i % length == length - 1;
            rewards[i] = counts ? Math.sin(steps.observations()[i * WIDTH]) + 0.1 * random.nextGaussian() : 0;
        }
        model.learn(steps, IntStream.range(0, 9).toArray(), rewards, Optional.empty());
        return model;
    }

    /** Σ_t φ_t of every item, around the centre of what was learned. */
    private static double[][] rows(BayesianRewardModel model, Steps steps) {
        BatchFeatures features = model.features(steps);
        double[][] rows = new double[steps.episodes()][features.width()];
        for (int e = 0; e < rows.length; e++) {
            features.addDiscounted(0, e, 1, rows[e], 0);
            for (int j = 0; j < rows[e].length; j++) {
                rows[e][j] -= model.centre()[j];
            }
        }
        return rows;
    }

    /** P⁻¹ after these items were observed, too. */
    private static double[] covariance(BayesianRewardModel model, double[][] rows, int... observed) {
        double[] whitening = model.posterior().whitening();
        int d = rows[0].length;
        double[] inverse = new double[d * d];
        for (int k = 0; k < d; k++) {
            for (int i = 0; i < d; i++) {
                for (int j = 0; j < d; j++) {
                    inverse[i * d + j] += whitening[k * d + i] * whitening[k * d + j];
                }
            }
        }
        if (observed.length == 0) {
            return inverse;
        }
        double[] precision = Cholesky.of(inverse, d).orElseThrow().inverse();
        for (int item : observed) {
            for (int i = 0; i < d; i++) {
                for (int j = 0; j < d; j++) {
                    precision[i * d + j] += rows[item][i] * rows[item][j];
                }
            }
        }
        return Cholesky.of(precision, d).orElseThrow().inverse();
    }

    private static double quadratic(double[] matrix, double[] vector) {
        int d = vector.length;
        double sum = 0;
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                sum += vector[i] * matrix[i * d + j] * vector[j];
            }
        }
        return sum;
    }

    private static double exact(BayesianRewardModel model, double[][] rows, int... observed) {
        double[] covariance = covariance(model, rows, observed);
        double[] mean = new double[rows[0].length];
        double error = 0;
        for (double[] row : rows) {
            error += quadratic(covariance, row) / rows.length;
            for (int j = 0; j < mean.length; j++) {
                mean[j] += row[j] / rows.length;
            }
        }
        return model.inflation() * model.noise() * (error + quadratic(covariance, mean));
    }

    /** Fewer items than features, and more. */
    @ParameterizedTest
    @ValueSource(ints = {12, 340})
    void expectedErrorsAreThoseOfTheDenseFormula(int count) {
        BayesianRewardModel model = taught(Grain.EPISODE, 1);
        Steps steps = steps(count, 1);
        double[][] rows = rows(model, steps);
        ItemSelector.Chosen chosen = new ItemSelector(model, 1, workers)
                .select(steps, new float[0], new ItemSelector.Request(new Pace.Fixed(2), 1, NONE, NONE, NONE));
        assertThat(chosen.before()).isCloseTo(exact(model, rows), within(1e-6 * chosen.before()));
        assertThat(chosen.after()).isCloseTo(exact(model, rows, chosen.indices()), within(1e-6 * chosen.before()));
    }

    @Test
    void eachItemIsTheBestOneNext() {
        BayesianRewardModel model = taught(Grain.EPISODE, 1);
        Steps steps = steps(7, 1);
        double[][] rows = rows(model, steps);
        int[] chosen = new ItemSelector(model, 1, workers)
                .select(steps, new float[0], new ItemSelector.Request(new Pace.Fixed(2), 1, NONE, NONE, NONE))
                .indices();
        int first = best(item -> exact(model, rows, item));
        assertThat(chosen).containsExactly(first, best(item -> item == first ? 9e9 : exact(model, rows, first, item)));
    }

    private interface Error {
        double of(int item);
    }

    private static int best(Error error) {
        return IntStream.range(0, 7)
                .boxed()
                .min((a, b) -> Double.compare(error.of(a), error.of(b)))
                .orElseThrow();
    }

    /** Σ_j e_j v_j with v the centred projections. */
    @Test
    void withScoreProjectionsTheErrorIsThatOfTheirSum() {
        BayesianRewardModel model = taught(Grain.EPISODE, 1);
        Steps steps = steps(10, 1);
        double[][] rows = rows(model, steps);
        float[] factors = new float[10 * 2];
        for (int i = 0; i < factors.length; i++) {
            factors[i] = (float) random.nextGaussian();
        }
        ItemSelector.Chosen chosen = new ItemSelector(model, 1, workers)
                .select(steps, factors, new ItemSelector.Request(new Pace.Fixed(3), 1, NONE, NONE, NONE));
        double[] covariance = covariance(model, rows, chosen.indices());
        double expected = 0;
        for (int d = 0; d < 2; d++) {
            double[] sum = new double[rows[0].length];
            int at = d;
            double mean = IntStream.range(0, 10)
                    .mapToDouble(e -> factors[e * 2 + at])
                    .average()
                    .orElseThrow();
            for (int e = 0; e < 10; e++) {
                for (int j = 0; j < sum.length; j++) {
                    sum[j] += rows[e][j] * (factors[e * 2 + d] - mean) / 10;
                }
            }
            expected += model.inflation() * model.noise() * quadratic(covariance, sum);
        }
        assertThat(chosen.after()).isCloseTo(expected, within(1e-6 * chosen.before()));
    }

    /** Random signs give the error of each item on the average: that of T = 1 steps, and its noise while it is not paid for. */
    @Test
    void signsStandInForScoresThatAreNotKnown() {
        BayesianRewardModel model = taught(Grain.STEP, 1);
        Steps steps = steps(8, 1);
        double[][] rows = rows(model, steps);
        double mean = 0;
        int trials = 40;
        for (int round = 1; round <= trials; round++) {
            mean += new ItemSelector(model, 1, workers)
                            .select(
                                    steps,
                                    new float[0],
                                    new ItemSelector.Request(new Pace.Fixed(1), round, NONE, NONE, NONE))
                            .before()
                    / trials;
        }
        double noise = model.inflation() * model.noise() * (1 + 1.0 / 8);
        // one draw in 64 dimensions is off by at most √(2/64) = 18 %, the mean of 40 by 3 %
        assertThat(mean).isCloseTo(exact(model, rows) + noise, within(0.05 * mean));
    }

    @Test
    void weightsAreTheBestForTheMeanScore() {
        BayesianRewardModel model = taught(Grain.EPISODE, 1);
        Steps steps = steps(10, 1);
        double[][] rows = rows(model, steps);
        ItemSelector.Chosen chosen = new ItemSelector(model, 1, workers)
                .select(steps, new float[0], new ItemSelector.Request(new Pace.Fixed(3), 1, NONE, NONE, NONE));
        double[] covariance = covariance(model, rows);
        double[] weights = dev.pgkq.quadrature.SimplexWeights.nearest(chosen.inner(), 3);
        double least = squaredError(rows, covariance, chosen.indices(), weights);
        for (int trial = 0; trial < 200; trial++) {
            double[] other = IntStream.range(0, 3)
                    .mapToDouble(i -> -Math.log(random.nextDouble()))
                    .toArray();
            double sum = Arrays.stream(other).sum();
            double[] shares = Arrays.stream(other).map(value -> value / sum).toArray();
            assertThat(squaredError(rows, covariance, chosen.indices(), shares)).isGreaterThanOrEqualTo(least - 1e-12);
        }
    }

    /** The expected square of Σ w_i S_i − (1/N) Σ S_j with S = fᵀ w + ε, in units of σ². */
    private static double squaredError(double[][] rows, double[] covariance, int[] indices, double[] weights) {
        double[] ofScores = new double[rows.length];
        Arrays.fill(ofScores, -1.0 / rows.length);
        for (int i = 0; i < indices.length; i++) {
            ofScores[indices[i]] += weights[i];
        }
        double[] sum = new double[rows[0].length];
        double noise = 0;
        for (int e = 0; e < rows.length; e++) {
            noise += ofScores[e] * ofScores[e];
            for (int j = 0; j < sum.length; j++) {
                sum[j] += ofScores[e] * rows[e][j];
            }
        }
        return quadratic(covariance, sum) + noise;
    }

    @Test
    void aRandomChoiceIsExpectedToBeWorse() {
        BayesianRewardModel model = taught(Grain.EPISODE, 1);
        ItemSelector.Chosen chosen = new ItemSelector(model, 1, workers)
                .select(steps(64, 1), new float[0], new ItemSelector.Request(new Pace.Fixed(8), 1, NONE, NONE, NONE));
        assertThat(chosen.random()).isBetween(chosen.after(), chosen.before());
    }
}
