package dev.pgkq.select;

import static dev.pgkq.select.DrawnValues.LENGTHS;
import static dev.pgkq.select.DrawnValues.STATES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.batch.Batches;
import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.credit.Credit;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.Steps;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.gp.ExactGram;
import dev.pgkq.gradient.AdvantageBatch;
import dev.pgkq.gradient.CorrectedAdvantage;
import dev.pgkq.gradient.CorrectionWeights;
import dev.pgkq.gradient.PlainAdvantage;
import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.kernel.KernelView;
import dev.pgkq.kernel.StepCredits;
import dev.pgkq.kernel.StepFactors;
import dev.pgkq.model.RewardModel;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.nn.Regression;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.policy.ScoreProjection;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.Grain;
import dev.pgkq.reward.Rewards;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The centred score kernel against gradients of which the mean advantage is subtracted. */
class CentredKernelTest {
    private static final double DISCOUNT = 0.9;
    private static final int COUNT = LENGTHS.length;

    private final Workers workers = new Workers(2);
    private final Policy policy = Policy.gaussian(STATES, 1, 1);
    private final Regression baseline = new Regression(STATES, 1e-3, RandomStream.of(1, Purpose.VALUE_INIT), workers);
    private final DeepKernel kernel = new DeepKernel(
            STATES + 1,
            new DeepKernel.Settings(0.4, -1, 1, 8, 1, 1e-3),
            RandomStream.of(1, Purpose.KERNEL_INIT),
            workers);
    private final StepFactors scores = StepFactors.scores(new ScoreProjection(policy, 0, 1, workers));
    private final List<Episode> batch = DrawnValues.episodes(0.4);
    private final Steps all = Steps.of(batch);
    private final WeightedPoints rule = new WeightedPoints(new int[] {3, 0, 4}, new double[] {0.5, 0.2, 0.3});

    @AfterEach
    void close() {
        workers.close();
    }

    private KernelView view(Credit.Target target, Credit credit, boolean centred) {
        StepCredits credits = new StepCredits(scores, target, credit);
        return new EpisodicKernel(kernel, credits, centred, new ExactGram(), false).view(all, workers);
    }

    private static double g(boolean stepDiscount, int t) {
        return stepDiscount ? Math.pow(DISCOUNT, t) : 1;
    }

    /** s̄ by its definition. */
    private double[] meanScore(boolean stepDiscount) {
        int size = scores.dimensions();
        float[] score = scores.of(all);
        double[] mean = new double[size];
        double total = 0;
        for (int e = 0; e < COUNT; e++) {
            for (int t = 0; t < LENGTHS[e]; t++) {
                double g = g(stepDiscount, t);
                total += g;
                for (int d = 0; d < size; d++) {
                    mean[d] += g * score[(all.start(e) + t) * size + d];
                }
            }
        }
        for (int d = 0; d < size; d++) {
            mean[d] /= total;
        }
        return mean;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theCentreIsTheWeightedMeanScoreOfAllEpisodes(boolean stepDiscount) {
        Credit credit = new Credit(AdvantageForm.E2, DISCOUNT, stepDiscount);
        double[] centre = view(Credit.Target.REWARDS, credit, true).credits().centre();
        double[] expected = meanScore(stepDiscount);
        assertClose(centre, expected, 1e-12);
        assertThat(Arrays.stream(expected).map(Math::abs).max().orElse(0)).isGreaterThan(0.1);
        assertClose(view(Credit.Target.REWARDS, credit, false).credits().centre(), new double[expected.length], 0);
    }

    /** In a loop: AssertJ compares every pair of elements of arrays that differ. */
    private static void assertClose(double[] actual, double[] expected, double tolerance) {
        assertThat(actual.length).isEqualTo(expected.length);
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i]).isCloseTo(expected[i], offset(tolerance));
        }
    }

    /** v_u = Σ_{t ≤ u} γ^{u−t} g_t (s_t − s̄), of paid episodes in the order in which they were chosen. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void paidStepsHaveTheCreditsOfTheWholeBatch(boolean stepDiscount) {
        Credit credit = new Credit(AdvantageForm.E1, DISCOUNT, stepDiscount);
        KernelView view = view(Credit.Target.REWARDS, credit, true);
        Steps paid = Steps.of(Arrays.stream(rule.indices()).mapToObj(batch::get).toList());
        int size = scores.dimensions();
        float[] score = scores.of(paid);
        double[] mean = meanScore(stepDiscount);
        float[] found = view.credits().of(paid);
        for (int e = 0; e < paid.episodes(); e++) {
            for (int d = 0; d < size; d += 97) {
                double sum = 0;
                for (int t = 0; t < paid.length(e); t++) {
                    int at = (paid.start(e) + t) * size + d;
                    sum = DISCOUNT * sum + g(stepDiscount, t) * (score[at] - mean[d]);
                    assertThat((double) found[at]).isCloseTo(sum, offset(1e-5));
                }
            }
        }
    }

    /** The sum over all pairs of steps, by its definition. */
    @Test
    void theCentredKernelIsTheSumOverPairsOfSteps() {
        Credit credit = new Credit(AdvantageForm.E1, DISCOUNT, true);
        KernelView view = view(Credit.Target.RETURNS, credit, true);
        double[][] k = DrawnValues.covariance(kernel, all, 0);
        double[][] products = products(meanScore(true));
        for (int i = 0; i < COUNT; i++) {
            for (int j = 0; j < COUNT; j++) {
                double sum = 0;
                for (int t = 0; t < LENGTHS[i]; t++) {
                    for (int u = 0; u < LENGTHS[j]; u++) {
                        int row = all.start(i) + t;
                        int column = all.start(j) + u;
                        sum += g(true, t) * g(true, u) * products[row][column] * k[row][column];
                    }
                }
                assertThat(view.gram().at(i, j)).isCloseTo(sum, offset(1e-4 * (1 + Math.abs(sum))));
            }
        }
    }

    /** ⟨s_t − mean, s_u − mean⟩ of all pairs of steps. */
    private double[][] products(double[] mean) {
        int size = scores.dimensions();
        float[] score = scores.of(all);
        double[][] products = new double[all.size()][all.size()];
        for (int t = 0; t < all.size(); t++) {
            for (int u = 0; u < all.size(); u++) {
                for (int d = 0; d < size; d++) {
                    products[t][u] += (score[t * size + d] - mean[d]) * (score[u * size + d] - mean[d]);
                }
            }
        }
        return products;
    }

    /**
     * Rewards drawn from the process around the model, samples of {@link CorrectedAdvantage} as training uses them, with the
     * mean over both terms subtracted: the mean squared difference between the gradient of a weighted choice and that of all
     * episodes is wce² of the centred kernel, within four standard errors. That of the raw kernel is far off.
     */
    @ParameterizedTest
    @CsvSource({"STEP, E1, true", "STEP, E1, false", "STEP, E2, true", "STEP, E2, false", "EPISODE, E1, true"})
    @Tag("unmutated")
    void wceIsTheExpectedSquaredErrorOfTheGradientWithTheMeanSubtracted(
            Grain grain, AdvantageForm form, boolean stepDiscount) {
        Credit credit = new Credit(form, DISCOUNT, stepDiscount);
        Credit.Target target = grain == Grain.STEP ? Credit.Target.REWARDS : Credit.Target.SUMS;
        RewardModel model = model(grain, stepDiscount);
        CorrectedAdvantage estimator = new CorrectedAdvantage(model, credit, form, CorrectionWeights.scaled(1), true);
        double[] expected = model.predict(all);
        assertExpectedSquaredError(target, credit, values -> {
            List<Rewards> rewards = rewards(grain, expected, values);
            return difference(
                    coefficients(estimator, rule, rewards),
                    coefficients(estimator, WeightedPoints.all(COUNT), rewards));
        });
    }

    /**
     * Option 1: returns above the baseline drawn from the process. wce² of the centred kernel is the expected squared error
     * if the mean is taken with the steps of all N episodes.
     */
    @ParameterizedTest
    @CsvSource({"E1, true", "E1, false", "E2, true", "E2, false"})
    @Tag("unmutated")
    void withoutAModelWceIsTheExpectedSquaredErrorIfTheMeanIsThatOfAllEpisodes(
            AdvantageForm form, boolean stepDiscount) {
        Credit credit = new Credit(form, DISCOUNT, stepDiscount);
        assertExpectedSquaredError(Credit.Target.RETURNS, credit, values -> {
            List<Rewards> rewards = rewardsOfReturns(values);
            return difference(
                    shifted(plain(credit, rule, rewards, false), stepDiscount),
                    shifted(plain(credit, WeightedPoints.all(COUNT), rewards, false), stepDiscount));
        });
    }

    /**
     * @param difference between the coefficients of all steps' scores in an estimate and in the gradient of all episodes, as
     *     a function of the values that are drawn
     */
    private void assertExpectedSquaredError(Credit.Target target, Credit credit, UnaryOperator<double[]> difference) {
        RandomStream random = RandomStream.of(7, Purpose.CHECK);
        DrawnValues process = new DrawnValues(kernel, all);
        double[][] matrix = matrix(difference, process.draw(random));
        double[] one = process.draw(random);
        assertClose(times(matrix, one), difference.apply(one), 1e-4);

        double[][] products = products(new double[scores.dimensions()]);
        int draws = 20_000;
        double sum = 0;
        double squares = 0;
        for (int draw = 0; draw < draws; draw++) {
            double[] coefficients = times(matrix, process.draw(random));
            double[] gradient = times(products, coefficients);
            double error = 0;
            for (int t = 0; t < coefficients.length; t++) {
                error += coefficients[t] * gradient[t];
            }
            sum += error;
            squares += error * error;
        }
        double mean = sum / draws;
        double deviation = Math.sqrt((squares / draws - mean * mean) / draws);
        double centred = view(target, credit, true).gram().squaredError(rule);
        double raw = view(target, credit, false).gram().squaredError(rule);
        assertThat(centred).isCloseTo(mean, offset(4 * deviation));
        assertThat(Math.abs(raw - mean)).as("raw scores").isGreaterThan(10 * deviation);
    }

    /** The matrix of a linear function, from its values around a point. */
    private static double[][] matrix(UnaryOperator<double[]> linear, double[] point) {
        double[] before = linear.apply(point);
        double[][] matrix = new double[before.length][point.length];
        for (int u = 0; u < point.length; u++) {
            double[] moved = point.clone();
            moved[u] += 1;
            double[] after = linear.apply(moved);
            for (int t = 0; t < after.length; t++) {
                matrix[t][u] = after[t] - before[t];
            }
        }
        return matrix;
    }

    private static double[] times(double[][] matrix, double[] vector) {
        double[] product = new double[matrix.length];
        for (int t = 0; t < matrix.length; t++) {
            for (int u = 0; u < vector.length; u++) {
                product[t] += matrix[t][u] * vector[u];
            }
        }
        return product;
    }

    private static double[] difference(double[] a, double[] b) {
        double[] difference = new double[a.length];
        Arrays.setAll(difference, t -> a[t] - b[t]);
        return difference;
    }

    /** Subtracts the mean from the coefficients of all steps, each with its share g_t / Σ g. */
    private double[] shifted(double[] coefficients, boolean stepDiscount) {
        double[] shares = shares(WeightedPoints.all(COUNT), stepDiscount);
        double sum = Arrays.stream(coefficients).sum();
        double[] shifted = new double[coefficients.length];
        Arrays.setAll(shifted, t -> coefficients[t] - sum * shares[t]);
        return shifted;
    }

    /** w_i g_t / Σ w g of every step of the batch. */
    private double[] shares(WeightedPoints points, boolean stepDiscount) {
        double[] shares = new double[all.size()];
        double total = 0;
        for (int a = 0; a < points.size(); a++) {
            int episode = points.indices()[a];
            for (int t = 0; t < LENGTHS[episode]; t++) {
                shares[all.start(episode) + t] = points.weights()[a] * g(stepDiscount, t);
                total += shares[all.start(episode) + t];
            }
        }
        for (int i = 0; i < shares.length; i++) {
            shares[i] /= total;
        }
        return shares;
    }

    /**
     * The mean that {@link PlainAdvantage} subtracts is that of the paid steps. This adds (s̄ − s̄_w) Σ w g Â to the gradient,
     * where s̄_w is the mean score of the paid steps.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("unmutated")
    void theMeanOfThePaidStepsAddsTheDifferenceOfTheMeanScores(boolean stepDiscount) {
        Credit credit = new Credit(AdvantageForm.E1, DISCOUNT, stepDiscount);
        double[] values = new DrawnValues(kernel, all).draw(RandomStream.of(7, Purpose.CHECK));
        List<Rewards> rewards = rewardsOfReturns(values);
        double[] plain = plain(credit, rule, rewards, false);
        double sum = Arrays.stream(plain).sum();
        double[] ofPaid = shares(rule, stepDiscount);
        double[] ofAll = shares(WeightedPoints.all(COUNT), stepDiscount);
        double[] standardized = plain(credit, rule, rewards, true);
        double[] exact = shifted(plain, stepDiscount);
        double unit = (plain[0] - plain[1] * ofPaid[0] / ofPaid[1])
                / (standardized[0] - standardized[1] * ofPaid[0] / ofPaid[1]);
        for (int t = 0; t < exact.length; t++) {
            assertThat(unit * standardized[t] - exact[t]).isCloseTo(sum * (ofAll[t] - ofPaid[t]), offset(1e-5));
        }
    }

    /** Rewards with these returns above the baseline. */
    private List<Rewards> rewardsOfReturns(double[] values) {
        double[] baselines = baseline.predict(all.observations());
        Rewards[] rewards = new Rewards[COUNT];
        for (int e = 0; e < COUNT; e++) {
            double[] own = new double[LENGTHS[e]];
            double following = 0;
            for (int t = own.length - 1; t >= 0; t--) {
                double here = values[all.start(e) + t] + baselines[all.start(e) + t];
                own[t] = here - DISCOUNT * following;
                following = here;
            }
            rewards[e] = new Rewards(own);
        }
        return List.of(rewards);
    }

    /** The coefficient of the score of every step of the batch. */
    private double[] plain(Credit credit, WeightedPoints points, List<Rewards> rewards, boolean standardize) {
        float[] samples = new PlainAdvantage(credit, standardize)
                .estimate(paid(points, rewards), baseline)
                .coefficients();
        double[] coefficients = new double[all.size()];
        int at = 0;
        for (int episode : points.indices()) {
            for (int t = all.start(episode); t < all.start(episode + 1); t++) {
                coefficients[t] = samples[at++];
            }
        }
        return coefficients;
    }

    private RewardModel model(Grain grain, boolean stepDiscount) {
        return new RewardModel(
                new Regression(STATES + 1, 1e-3, RandomStream.of(1, Purpose.MEAN_INIT), workers),
                Optional.empty(),
                new RewardModel.Settings(new Minibatches(2, 4), 1e-3, 0),
                grain,
                DISCOUNT,
                stepDiscount,
                1);
    }

    /** Rewards of all episodes: expected ones plus values, for every step or as one discounted sum. */
    private List<Rewards> rewards(Grain grain, double[] expected, double[] values) {
        Rewards[] rewards = new Rewards[COUNT];
        for (int e = 0; e < COUNT; e++) {
            double[] own = new double[LENGTHS[e]];
            double sum = 0;
            for (int t = 0; t < own.length; t++) {
                own[t] = expected[all.start(e) + t] + values[all.start(e) + t];
                sum = sum / DISCOUNT + own[t];
            }
            rewards[e] = grain == Grain.STEP ? new Rewards(own) : Rewards.ofEpisode(sum, own.length);
        }
        return List.of(rewards);
    }

    /**
     * The coefficient of the score of every step of the batch in the standardised estimate, before the division by the
     * standard deviation.
     */
    private double[] coefficients(CorrectedAdvantage estimator, WeightedPoints points, List<Rewards> rewards) {
        PaidBatch paid = paid(points, rewards);
        float[] standardized = estimator.estimate(paid, baseline).coefficients();
        float[] plain = new CorrectedAdvantage(
                        estimator.model(), estimator.credit(), estimator.correctionForm(), estimator.weights(), false)
                .estimate(paid, baseline)
                .coefficients();
        // the correction is divided, but not shifted
        double squares = 0;
        double product = 0;
        for (int i = all.size(); i < plain.length; i++) {
            squares += (double) plain[i] * plain[i];
            product += (double) plain[i] * standardized[i];
        }
        double[] coefficients = new double[all.size()];
        for (int i = 0; i < all.size(); i++) {
            coefficients[i] = squares / product * standardized[i];
        }
        int at = all.size();
        for (int episode : points.indices()) {
            for (int t = all.start(episode); t < all.start(episode + 1); t++) {
                coefficients[t] += squares / product * standardized[at++];
            }
        }
        return coefficients;
    }

    private PaidBatch paid(WeightedPoints points, List<Rewards> rewards) {
        return new PaidBatch(Batches.of(batch, workers), Selection.withoutKernel(points), points.of(rewards));
    }

    /** With all episodes at 1/N the error is 0: in the kernel, and between the samples of the large batch and these. */
    @Test
    void withAllEpisodesThereIsNoError() {
        Credit credit = new Credit(AdvantageForm.E2, DISCOUNT, false);
        KernelView view = view(Credit.Target.REWARDS, credit, true);
        assertThat(view.gram().squaredError(WeightedPoints.all(COUNT)))
                .isLessThan(1e-12 * view.gram().at(3, 3));

        RewardModel model = model(Grain.STEP, false);
        CorrectedAdvantage estimator =
                new CorrectedAdvantage(model, credit, AdvantageForm.E2, CorrectionWeights.scaled(1), true);
        double[] values = new DrawnValues(kernel, all).draw(RandomStream.of(7, Purpose.CHECK));
        List<Rewards> rewards = rewards(Grain.STEP, model.predict(all), values);
        double[] ours = coefficients(estimator, WeightedPoints.all(COUNT), rewards);
        AdvantageBatch large =
                new PlainAdvantage(credit, false).estimate(paid(WeightedPoints.all(COUNT), rewards), baseline);
        double shift = 0;
        for (float coefficient : large.coefficients()) {
            shift += coefficient / (double) large.size();
        }
        for (int t = 0; t < ours.length; t++) {
            assertThat(ours[t]).isCloseTo(large.coefficients()[t] - shift, offset(1e-5));
        }
    }
}
