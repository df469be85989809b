package dev.pgkq.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.pgkq.batch.Batches;
import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.credit.Credit;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.Steps;
import dev.pgkq.kernel.StepCredits;
import dev.pgkq.kernel.StepFactors;
import dev.pgkq.nn.Regression;
import dev.pgkq.parallel.Workers;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.Grain;
import dev.pgkq.reward.Rewards;
import dev.pgkq.select.Forecast;
import dev.pgkq.select.Selection;
import dev.pgkq.state.Snapshot;
import dev.pgkq.statistics.StudentT;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BayesianRewardModelTest {
    private static final double DISCOUNT = 0.98;
    private static final int EPISODES = 40;

    private final Workers workers = new Workers(2);
    private final Regression baseline = new Regression(2, 1e-3, RandomStream.of(1, Purpose.VALUE_INIT), workers);

    @AfterEach
    void close() {
        workers.close();
    }

    private BayesianRewardModel model(Grain grain) {
        return new BayesianRewardModel(StepDescription.features(3), grain, DISCOUNT, 1, workers);
    }

    /** The true reward, which is not linear in the features. */
    private static double reward(double s0, double s1, double a) {
        return s0 * s1 - Math.abs(a);
    }

    /**
     * Episodes of 10 to 30 steps, of which the first ones are paid for.
     *
     * @param factor unit of rewards
     * @param offset added to the reward of every step, or to the number of an episode
     */
    private static PaidBatch batch(int iteration, int paid, Grain grain, double factor, double offset) {
        return batch(iteration, paid, grain, factor, offset, Optional.empty());
    }

    private static PaidBatch batch(
            int iteration, int paid, Grain grain, double factor, double offset, Optional<Forecast> forecast) {
        RandomStream random = RandomStream.of(5, Purpose.CHECK, iteration);
        List<Episode> episodes = new ArrayList<>();
        List<Rewards> rewards = new ArrayList<>();
        for (int e = 0; e < EPISODES; e++) {
            int length = 10 + e % 21;
            float[] observations = new float[2 * length];
            float[] actions = new float[length];
            double[] values = new double[length];
            for (int t = 0; t < length; t++) {
                observations[2 * t] = (float) random.nextGaussian();
                observations[2 * t + 1] = (float) random.nextGaussian();
                actions[t] = (float) random.nextGaussian();
                values[t] = reward(observations[2 * t], observations[2 * t + 1], actions[t]) * factor;
            }
            if (grain == Grain.STEP) {
                Arrays.setAll(values, t -> values[t] + offset);
            } else {
                double sum = offset;
                for (int t = length - 1; t >= 0; t--) {
                    sum += Math.pow(DISCOUNT, t) * values[t];
                }
                Arrays.fill(values, 0);
                values[length - 1] = sum / Math.pow(DISCOUNT, length - 1);
            }
            episodes.add(new Episode(
                    iteration,
                    e,
                    length,
                    observations,
                    actions,
                    new float[length],
                    new double[length + 1],
                    Ending.TERMINATED));
            rewards.add(new Rewards(values));
        }
        WeightedPoints points = WeightedPoints.equal(IntStream.range(0, paid).toArray());
        Selection selection = new Selection(points, Optional.empty(), forecast);
        return new PaidBatch(Batches.of(episodes), selection, rewards.subList(0, paid));
    }

    private BayesianRewardModel taught(Grain grain, int iterations, double factor, double offset) {
        BayesianRewardModel model = model(grain);
        for (int k = 1; k <= iterations; k++) {
            PaidBatch paid = batch(k, 20, grain, factor, offset);
            model.features(paid.allSteps());
            model.learn(paid, baseline, k);
        }
        return model;
    }

    private static double[] truth(Steps steps) {
        double[] rewards = new double[steps.size()];
        for (int i = 0; i < rewards.length; i++) {
            rewards[i] = reward(steps.observations()[2 * i], steps.observations()[2 * i + 1], steps.actions()[i]);
        }
        return rewards;
    }

    /** The last step has what belongs to no step. */
    private static double[] withoutLast(Steps steps, double[] rewards) {
        double[] others = rewards.clone();
        for (int e = 0; e < steps.episodes(); e++) {
            others[steps.start(e + 1) - 1] = 0;
        }
        return others;
    }

    private static double meanSquare(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (a[i] - b[i]) * (a[i] - b[i]);
        }
        return sum / a.length;
    }

    /** The reward has variance 1.36. */
    @Test
    void rewardsOfStepsAreLearned() {
        Steps unseen = batch(9, 0, Grain.STEP, 1, 0).allSteps();
        double few = meanSquare(taught(Grain.STEP, 1, 1, 0).expected(unseen), truth(unseen));
        double many = meanSquare(taught(Grain.STEP, 4, 1, 0).expected(unseen), truth(unseen));
        assertThat(few).isLessThan(0.05);
        assertThat(many).isLessThan(0.02).isLessThan(few);
    }

    /** From one number for each of 200 episodes, much of what every step contributes is known. */
    @Test
    void rewardsOfStepsAreLearnedFromSums() {
        Steps unseen = batch(99, 0, Grain.EPISODE, 1, 0).allSteps();
        double[] expected = taught(Grain.EPISODE, 10, 1, 5).expected(unseen);
        assertThat(meanSquare(withoutLast(unseen, expected), withoutLast(unseen, truth(unseen))))
                .isLessThan(0.6 * 1.36);
    }

    @Test
    void whatWasPaidForIsKnownWhereStepsHaveRewards() {
        BayesianRewardModel model = taught(Grain.STEP, 1, 1, 0);
        PaidBatch paid = batch(1, 20, Grain.STEP, 1, 0);
        double[] estimates = model.of(paid);
        double[] expected = model.expected(paid.allSteps());
        int known = paid.paidSteps().size();
        assertThat(Arrays.copyOf(estimates, known)).isEqualTo(paid.paidRewards());
        assertThat(Arrays.copyOfRange(estimates, known, estimates.length))
                .isEqualTo(Arrays.copyOfRange(expected, known, expected.length));
    }

    @Test
    void theNumberOfAnEpisodeIsNotTakenForItsRewards() {
        BayesianRewardModel model = taught(Grain.EPISODE, 2, 1, 0);
        PaidBatch paid = batch(2, 20, Grain.EPISODE, 1, 0);
        assertThat(model.of(paid)).isEqualTo(model.expected(paid.allSteps()));
    }

    @ParameterizedTest
    @EnumSource(Grain.class)
    void aPowerOfTwoAsUnitChangesNoBit(Grain grain) {
        Steps unseen = batch(9, 0, grain, 1, 0).allSteps();
        double[] own = taught(grain, 2, 1, 0).expected(unseen);
        for (int exponent : new int[] {-60, 3, 80}) {
            double[] other = taught(grain, 2, Math.scalb(1.0, exponent), 0).expected(unseen);
            for (int i = 0; i < own.length; i++) {
                assertThat(Math.scalb(other[i], -exponent)).isEqualTo(own[i]);
            }
        }
    }

    /** Checkpoints hold floats: the squares of these rewards differ by more than their range. */
    @Test
    void muchLargerRewardsChangeTheUnit() {
        BayesianRewardModel model = taught(Grain.STEP, 1, 1e-30, 0);
        for (int k = 2; k <= 3; k++) {
            model.learn(batch(k, 20, Grain.STEP, 1, 0), baseline, k);
        }
        Snapshot.Builder saved = new Snapshot.Builder();
        model.save(saved);
        BayesianRewardModel restored = model(Grain.STEP);
        restored.restore(saved.build());
        Steps unseen = batch(9, 0, Grain.STEP, 1, 0).allSteps();
        // a third of what was paid for says that all rewards are 0
        assertThat(meanSquare(model.expected(unseen), truth(unseen))).isLessThan(0.7);
        assertThat(restored.expected(unseen)).isEqualTo(model.expected(unseen));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1000, 3, 1e6})
    void anOffsetShiftsRewardsOfStepsAndNothingElse(double offset) {
        Steps unseen = batch(9, 0, Grain.STEP, 1, 0).allSteps();
        double[] own = taught(Grain.STEP, 2, 1, 0).expected(unseen);
        double[] other = taught(Grain.STEP, 2, 1, offset).expected(unseen);
        for (int i = 0; i < own.length; i++) {
            assertThat(other[i] - offset).isCloseTo(own[i], within(1e-3));
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1000, 3, 1e6})
    void anOffsetOfNumbersComesWithTheLastStep(double offset) {
        Steps unseen = batch(9, 0, Grain.EPISODE, 1, 0).allSteps();
        double[] own = taught(Grain.EPISODE, 4, 1, 0).expected(unseen);
        double[] other = taught(Grain.EPISODE, 4, 1, offset).expected(unseen);
        for (int e = 0; e < unseen.episodes(); e++) {
            int last = unseen.start(e + 1) - 1;
            other[last] -= offset / Math.pow(DISCOUNT, unseen.length(e) - 1);
        }
        for (int i = 0; i < own.length; i++) {
            assertThat(other[i]).isCloseTo(own[i], within(1e-3));
        }
    }

    @ParameterizedTest
    @EnumSource(Grain.class)
    void withoutDifferencesNothingIsKnown(Grain grain) {
        BayesianRewardModel model = taught(grain, 3, 0, 4);
        assertThat(model.posterior().isInformed()).isFalse();
        assertThat(model.noise()).isNaN();
        Steps unseen = batch(9, 0, grain, 1, 0).allSteps();
        double[] expected = model.expected(unseen);
        for (int e = 0; e < unseen.episodes(); e++) {
            double sum = 0;
            for (int i = unseen.start(e); i < unseen.start(e + 1); i++) {
                sum += Math.pow(DISCOUNT, i - unseen.start(e)) * expected[i];
                assertThat(expected[i])
                        .isEqualTo(grain == Grain.STEP ? 4 : i < unseen.start(e + 1) - 1 ? 0 : expected[i]);
            }
            assertThat(grain == Grain.STEP ? 4 : sum).isCloseTo(4, within(1e-9));
        }
    }

    @ParameterizedTest
    @EnumSource(Grain.class)
    void nothingPaidForTeachesNothing(Grain grain) {
        BayesianRewardModel model = taught(grain, 2, 1, 0);
        PaidBatch none = batch(3, 0, grain, 1, 0);
        double[] before = model.expected(none.allSteps());
        assertThat(model.learn(none, baseline, 3)).isEqualTo(Learner.Lesson.NONE);
        assertThat(model.expected(none.allSteps())).isEqualTo(before);
        assertThat(model.of(none)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(Grain.class)
    void aCheckpointContinuesToTheLastBit(Grain grain) {
        BayesianRewardModel model = taught(grain, 2, 1e-3, 7);
        Snapshot.Builder saved = new Snapshot.Builder();
        model.save(saved);
        BayesianRewardModel other = model(grain);
        other.restore(saved.build());
        PaidBatch next = batch(3, 20, grain, 1e-3, 7);
        assertThat(other.expected(next.allSteps())).isEqualTo(model.expected(next.allSteps()));
        model.learn(next, baseline, 3);
        other.learn(next, baseline, 3);
        assertThat(other.expected(next.allSteps())).isEqualTo(model.expected(next.allSteps()));
        assertThat(other.noise()).isEqualTo(model.noise());
    }

    /** The forecast says 1 for each episode; with x = 1 the error of an episode is that of its sum of credited rewards. */
    @Test
    void errorsBeforeLearningInflateTheForecast() {
        BayesianRewardModel model = taught(Grain.STEP, 1, 1, 0);
        StepCredits credits = new StepCredits(
                StepFactors.ones(), Credit.Target.REWARDS, new Credit(AdvantageForm.E1, DISCOUNT, false));
        double[] ones = new double[EPISODES];
        Arrays.fill(ones, 1);
        Forecast forecast = new Forecast(new double[] {1, 1}, 1, 1, credits, ones);
        PaidBatch next = batch(2, 20, Grain.STEP, 1, 0, Optional.of(forecast));
        double[] before = model.expected(next.paidSteps());
        float[] v = credits.of(next.paidSteps());
        double sum = 0;
        for (int e = 0; e < 20; e++) {
            double error = 0;
            for (int i = next.paidSteps().start(e); i < next.paidSteps().start(e + 1); i++) {
                error += v[i] * (next.paidRewards()[i] - before[i]);
            }
            sum += error * error;
        }
        assertThat(model.inflation()).isEqualTo(1);
        model.learn(next, baseline, 2);
        // 0.8 of one episode as predicted, and 20 with sum / 20 times the error that was predicted
        assertThat(model.inflation()).isCloseTo((0.8 + sum) / 20.8, withPercentage(1e-4));
    }

    /** Each paid return against what was said of it before; an earlier purchase counts half as much. */
    @Test
    void errorsOfReturnsInflateTheirVariances() {
        BayesianRewardModel model = model(Grain.STEP);
        model.learn(batch(1, 1, Grain.STEP, 1, 0), baseline, 1); // nothing can be compared
        double ratio = learnAndCompare(model, 2, 20);
        assertThat(ratio).isGreaterThan(1.1);
        PaidBatch unseen = batch(4, 0, Grain.STEP, 1, 0);
        assertThat(inflation(model, unseen)).isCloseTo(ratio, withPercentage(1e-3));
        double quantile = StudentT.quantile(20, 0.95);
        assertThat(model.halfWidths(unseen, 0.9)[30])
                .isCloseTo(quantile * Math.sqrt(model.variances(unseen)[30]), withPercentage(1e-3));

        double later = learnAndCompare(model, 3, 10);
        assertThat(inflation(model, unseen))
                .isCloseTo(Math.max(1, (10 * ratio + 10 * later) / 20), withPercentage(1e-3));
        assertThat(later).isNotCloseTo(ratio, withPercentage(5));
    }

    /** Learns an iteration, and returns the squares of the errors of its paid returns over what the posterior says of them. */
    private double learnAndCompare(BayesianRewardModel model, int iteration, int count) {
        PaidBatch paid = batch(iteration, count, Grain.STEP, 1, 0);
        double[] expected = model.expect(paid).orElseThrow();
        double[] variances = trusting(model).variances(paid);
        double squares = 0;
        double said = 0;
        for (int e = 0; e < count; e++) {
            squares += Math.pow(returnOf(paid, e) - expected[e], 2);
            said += variances[e];
        }
        model.learn(paid, baseline, iteration);
        return squares / said;
    }

    private double inflation(BayesianRewardModel model, PaidBatch unseen) {
        return model.variances(unseen)[30] / trusting(model).variances(unseen)[30];
    }

    /** What the model leaves out only adds to its errors. */
    @Test
    void luckDoesNotDeflate() {
        BayesianRewardModel model = taught(Grain.STEP, 4, 1, 0);
        PaidBatch same = batch(4, 20, Grain.STEP, 1, 0);
        for (int k = 5; k <= 12; k++) {
            model.learn(same, baseline, k); // what is known already is predicted too well
        }
        assertThat(compared(model)[0]).isLessThan(0.9F * compared(model)[1]);
        assertThat(model.variances(same)).isEqualTo(trusting(model).variances(same));
    }

    @Test
    void whereTheOthersTeachNothingOfErrorsNothingIsCompared() {
        BayesianRewardModel model = model(Grain.STEP);
        PaidBatch batch = batch(1, 0, Grain.STEP, 1, 0);
        Steps steps = batch.allSteps();
        double[] rewards = new double[steps.length(0) + steps.length(1) + steps.length(2)];
        rewards[2] = 1;
        model.learn(steps, new int[] {0, 1, 2}, rewards, Optional.empty());
        assertThat(model.variances(batch)).doesNotContain(Double.NaN);
        assertThat(model.halfWidths(batch, 0.9)).containsOnly(Double.NaN);
    }

    /** Of a first purchase, each return is compared with what the other episodes teach. */
    @Test
    void episodesOfTheFirstPurchaseJudgeEachOther() {
        PaidBatch paid = batch(1, 3, Grain.STEP, 1, 0);
        Steps all = paid.allSteps();
        double squares = 0;
        double said = 0;
        for (int e = 0; e < 3; e++) {
            int left = e;
            BayesianRewardModel others = model(Grain.STEP);
            int[] known = IntStream.range(0, 3).filter(other -> other != left).toArray();
            double[] rewards = Arrays.stream(known)
                    .mapToObj(other -> Arrays.stream(
                            paid.paidRewards(),
                            paid.paidSteps().start(other),
                            paid.paidSteps().start(other + 1)))
                    .flatMapToDouble(part -> part)
                    .toArray();
            others.learn(all, known, rewards, Optional.empty());
            squares += Math.pow(returnOf(paid, e) - others.expect(paid).orElseThrow()[e], 2);
            said += trusting(others).variances(paid)[e];
        }
        BayesianRewardModel model = model(Grain.STEP);
        model.learn(paid, baseline, 1);
        assertThat(compared(model)[1]).isEqualTo(3);
        assertThat(compared(model)[0] / 3.0).isCloseTo(squares / said, withPercentage(1e-3));
        assertThat(model.inflation()).isEqualTo(1);
    }

    private static double returnOf(PaidBatch paid, int e) {
        Steps steps = paid.paidSteps();
        return Arrays.stream(paid.paidRewards(), steps.start(e), steps.start(e + 1))
                .sum();
    }

    /** The sum of ratios of squared errors of returns to what was said of them, and their number. */
    private static float[] compared(BayesianRewardModel model) {
        Snapshot.Builder saved = new Snapshot.Builder();
        model.save(saved);
        return saved.build().values("calibration_of_returns", 2);
    }

    /** The same model with a calibration of returns that has seen nothing. */
    private BayesianRewardModel trusting(BayesianRewardModel model) {
        Snapshot.Builder saved = new Snapshot.Builder();
        model.save(saved);
        Snapshot state = saved.build();
        Snapshot.Builder changed = new Snapshot.Builder();
        state.tensors()
                .forEach((name, tensor) -> changed.tensor(
                        name,
                        name.equals("calibration_of_returns") ? new float[] {0, 0} : tensor.values(),
                        tensor.shape()));
        state.counters().forEach(changed::counter);
        state.attributes().forEach(changed::attribute);
        BayesianRewardModel trusting = model(Grain.STEP);
        trusting.restore(changed.build());
        return trusting;
    }
}
