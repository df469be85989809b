package dev.pgkq.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.batch.Batches;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.model.Learner.Lesson;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.nn.Regression;
import dev.pgkq.parallel.Workers;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.Grain;
import dev.pgkq.reward.Rewards;
import dev.pgkq.select.Selection;
import dev.pgkq.state.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RewardModelTest {
    private static final double DISCOUNT = 0.95;
    private static final int LENGTH = 40;

    private final Workers workers = new Workers(2);
    private final Regression baseline = new Regression(2, 1e-3, RandomStream.of(1, Purpose.VALUE_INIT), workers);

    @AfterEach
    void close() {
        workers.close();
    }

    private RewardModel model(int memory) {
        return model(memory, Grain.STEP);
    }

    private RewardModel model(int memory, Grain grain) {
        DeepKernel kernel = new DeepKernel(
                3, new DeepKernel.Settings(0, -2, 1, 16, 5, 1e-3), RandomStream.of(1, Purpose.KERNEL_INIT), workers);
        return new RewardModel(
                new Regression(3, 1e-3, RandomStream.of(1, Purpose.MEAN_INIT), workers),
                Optional.of(kernel),
                new RewardModel.Settings(new Minibatches(20, 4), 1e-3, memory),
                grain,
                DISCOUNT,
                true,
                1);
    }

    /** Two of three episodes paid for; a reward is s₀ − 2 a + offset. */
    private static PaidBatch batch(int iteration, double offset) {
        return batch(iteration, offset, Grain.STEP);
    }

    /** The same of which only the discounted sum of rewards is told, with the last step. */
    private static PaidBatch told(int iteration, double offset) {
        return batch(iteration, offset, Grain.EPISODE);
    }

    private static PaidBatch batch(int iteration, double offset, Grain grain) {
        RandomStream random = RandomStream.of(5, Purpose.CHECK, iteration);
        List<Episode> episodes = new ArrayList<>();
        List<Rewards> rewards = new ArrayList<>();
        for (int e = 0; e < 3; e++) {
            float[] observations = new float[2 * LENGTH];
            float[] actions = new float[LENGTH];
            double[] values = new double[LENGTH];
            double sum = 0;
            for (int t = 0; t < LENGTH; t++) {
                observations[2 * t] = (float) random.nextGaussian();
                observations[2 * t + 1] = (float) random.nextGaussian();
                actions[t] = (float) random.nextGaussian();
                values[t] = observations[2 * t] - 2 * actions[t] + offset;
                sum = sum / DISCOUNT + values[t];
            }
            episodes.add(new Episode(
                    iteration,
                    e,
                    LENGTH,
                    observations,
                    actions,
                    new float[LENGTH],
                    new double[LENGTH + 1],
                    Ending.TRUNCATED));
            rewards.add(grain == Grain.STEP ? new Rewards(values) : Rewards.ofEpisode(sum, LENGTH));
        }
        WeightedPoints points = new WeightedPoints(new int[] {2, 0}, new double[] {0.7, 0.3});
        return new PaidBatch(Batches.of(episodes), Selection.withoutKernel(points), points.of(rewards));
    }

    @Test
    void theErrorIsThatOfTheModelBeforeItLearned() {
        RewardModel model = model(0);
        PaidBatch paid = batch(1, 0.5);
        double[] before = model.predict(paid.paidSteps());
        double[] rewards = paid.paidRewards();
        double sum = 0;
        double total = 0;
        for (int e = 0; e < 2; e++) {
            for (int t = 0; t < LENGTH; t++) {
                double weight = paid.points().weights()[e] * (1 + t) * Math.pow(DISCOUNT, t);
                sum += weight * Math.pow(rewards[e * LENGTH + t] - before[e * LENGTH + t], 2);
                total += weight;
            }
        }
        Lesson lesson = model.learn(paid, baseline, 1);
        assertThat(lesson.meanError()).isCloseTo(Math.sqrt(sum / total), offset(1e-4));
        assertThat(lesson.logLikelihood()).isFinite();
    }

    /**
     * Two episodes that contradict each other, of steps that all look the same: the constant reward that m learns minimizes the
     * expected square of what the errors of the sums contribute to the gradient. Scores are independent with mean 0.
     */
    @Test
    @Tag("unmutated")
    void sumsHaveTheWeightsOfTheirErrorsInTheGradient() {
        int[] lengths = {10, 20};
        double[] weights = {0.9, 0.1};
        double[] wanted = {1, -1};
        double[] counts = new double[2];
        List<Episode> episodes = new ArrayList<>();
        List<Rewards> rewards = new ArrayList<>();
        double products = 0;
        double squares = 0;
        for (int e = 0; e < 2; e++) {
            int length = lengths[e];
            for (int t = 0; t < length; t++) {
                counts[e] += Math.pow(DISCOUNT, t);
            }
            episodes.add(new Episode(
                    1,
                    e,
                    length,
                    new float[2 * length],
                    new float[length],
                    new float[length],
                    new double[length + 1],
                    Ending.TERMINATED));
            // one number at the last step, so that the discounted sum is that of constant rewards
            rewards.add(Rewards.ofEpisode(wanted[e] * counts[e] / Math.pow(DISCOUNT, length - 1), length));
            double weight = weights[e] * squaredGradientOfUnitError(length) * counts[e] * counts[e];
            products += weight * wanted[e];
            squares += weight;
        }
        WeightedPoints points = new WeightedPoints(new int[] {0, 1}, weights);
        PaidBatch paid = new PaidBatch(Batches.of(episodes), Selection.withoutKernel(points), points.of(rewards));
        RewardModel model = new RewardModel(
                new Regression(3, 1e-3, RandomStream.of(1, Purpose.MEAN_INIT), workers),
                Optional.empty(),
                new RewardModel.Settings(new Minibatches(1000, 1), 1e-3, 0),
                Grain.EPISODE,
                DISCOUNT,
                true,
                1);

        model.learn(paid, baseline, 1);

        assertThat(model.predict(paid.paidSteps())[0]).isCloseTo(products / squares, offset(0.03));
    }

    /** E(Σ_t γ^t e_t s_t)², where the error 1 of Σ_u γ^u r_u is an error e_t = γ^{−t} of the return of every step. */
    private static double squaredGradientOfUnitError(int length) {
        int draws = 20_000;
        RandomStream random = RandomStream.of(1, Purpose.CHECK, length);
        double mean = 0;
        for (int draw = 0; draw < draws; draw++) {
            double gradient = 0;
            for (int t = 0; t < length; t++) {
                double errorOfReturn = 1 / Math.pow(DISCOUNT, t);
                gradient += Math.pow(DISCOUNT, t) * errorOfReturn * random.nextGaussian();
            }
            mean += gradient * gradient / draws;
        }
        return mean;
    }

    @Test
    @Tag("unmutated")
    void theModelLearnsAReward() {
        RewardModel model = model(0);
        double first = model.learn(batch(1, 0.5), baseline, 1).meanError();
        double last = 0;
        for (int i = 2; i <= 20; i++) {
            last = model.learn(batch(i, 0.5), baseline, i).meanError();
        }
        assertThat(last).isLessThan(0.2 * first);
    }

    /** After rewards have moved, a model with memory still knows what they were. */
    @Test
    @Tag("unmutated")
    void memoryKeepsOldRewardsAndOnlyAsLongAsItShould() {
        double without = afterChange(0, 1);
        double with = afterChange(3, 1);
        double forgotten = afterChange(3, 8);
        assertThat(with).isLessThan(without - 0.3);
        assertThat(forgotten).isGreaterThan(with + 0.3);
    }

    /** Mean of the model's rewards minus those of before the change. */
    private double afterChange(int memory, int after) {
        RewardModel model = model(memory);
        for (int i = 1; i <= 10; i++) {
            model.learn(batch(i, 0), baseline, i);
        }
        for (int i = 11; i < 11 + after; i++) {
            model.learn(batch(i, 4), baseline, i);
        }
        PaidBatch test = batch(100, 0);
        double[] predicted = model.predict(test.paidSteps());
        double[] rewards = test.paidRewards();
        double difference = 0;
        for (int i = 0; i < rewards.length; i++) {
            difference += (predicted[i] - rewards[i]) / rewards.length;
        }
        return difference;
    }

    @Test
    void whatIsRememberedSurvivesACheckpoint() {
        RewardModel one = model(2);
        for (int i = 1; i <= 4; i++) {
            one.learn(batch(i, i), baseline, i);
        }
        Snapshot.Builder builder = new Snapshot.Builder();
        one.save(builder);
        Snapshot saved = builder.build();
        assertThat(saved.tensor("reward_memory/rewards").values()).hasSize(2 * 2 * LENGTH);
        RewardModel other = model(2);
        other.restore(saved);
        one.learn(batch(5, 5), baseline, 5);
        other.learn(batch(5, 5), baseline, 5);
        PaidBatch test = batch(6, 0);
        assertThat(other.predict(test.allSteps())).isEqualTo(one.predict(test.allSteps()));
    }

    @Test
    @Tag("unmutated")
    void rewardsAreLearnedFromTheirSums() {
        RewardModel model = model(5, Grain.EPISODE);
        PaidBatch first = told(1, 0.5);
        double[] before = model.missed(first);
        for (int i = 1; i <= 60; i++) {
            model.learn(told(i, 0.5), baseline, i);
        }
        assertThat(model.surprise(first)).isNotEqualTo(before);
        PaidBatch test = batch(100, 0.5);
        double[] predicted = model.predict(test.allSteps());
        double[] rewards = test.paidRewards();
        double squares = 0;
        double variance = 0;
        for (int i = 0; i < rewards.length; i++) {
            int e = i / LENGTH;
            int inBatch = test.allSteps().start(test.points().indices()[e]) + i % LENGTH;
            squares += Math.pow(predicted[inBatch] - rewards[i], 2);
            variance += Math.pow(rewards[i] - 0.5, 2);
        }
        assertThat(squares / variance).isLessThan(0.5);
    }

    @Test
    void anEpisodeIsExpectedToEarnTheSumOfItsPredictedRewards() {
        RewardModel model = model(0);
        PaidBatch paid = batch(1, 0.5);
        double[] predicted = model.predict(paid.allSteps());
        double[] sums = model.expect(paid).orElseThrow();
        assertThat(sums).hasSize(3);
        for (int e = 0; e < sums.length; e++) {
            double sum = Arrays.stream(predicted, e * LENGTH, (e + 1) * LENGTH).sum();
            assertThat(sums[e]).isCloseTo(sum, offset(1e-9));
        }
    }

    /** The errors of other rewards than the last ones are computed when asked for. */
    @Test
    void aSurpriseBelongsToItsBatch() {
        RewardModel model = model(0);
        model.learn(batch(1, 0.5), baseline, 1);
        PaidBatch other = batch(2, 0.5);
        assertThat(model.surprise(other)).isEqualTo(model.missed(other));
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        Minibatches minibatches = new Minibatches(1, 1);
        assertThatThrownBy(() -> new RewardModel.Settings(minibatches, 0, 0)).hasMessageContaining("learning rate");
        assertThatThrownBy(() -> new RewardModel.Settings(minibatches, 1e-3, -1))
                .hasMessageContaining("memory");
    }

    /** What was a surprise is kept for those who ask after the model has learned. */
    @Test
    void theErrorOfSumsIsCountedOncePerEpisode() {
        RewardModel model = model(0, Grain.EPISODE);
        PaidBatch paid = told(1, 0.5);
        double[] missed = model.missed(paid);
        double sum = 0.7 * Math.pow(missed[LENGTH - 1], 2) + 0.3 * Math.pow(missed[2 * LENGTH - 1], 2);
        assertThat(model.learn(paid, baseline, 1).meanError()).isCloseTo(Math.sqrt(sum), offset(1e-3 * Math.sqrt(sum)));
        assertThat(model.surprise(paid)).isEqualTo(missed);
        assertThat(model.missed(paid)).isNotEqualTo(missed);
    }
}
