package dev.pgkq.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.batch.Batches;
import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.credit.Credit;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.model.RewardModel;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.nn.Regression;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.EnvironmentReward;
import dev.pgkq.reward.Grain;
import dev.pgkq.reward.Rewards;
import dev.pgkq.select.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CorrectedAdvantageTest {
    private static final Task TASK = Tasks.named("Pendulum-v1");
    private static final double DISCOUNT = 0.98;
    private static final int COUNT = 5;

    private final Workers workers = new Workers(2);
    private final Policy policy = Policy.gaussian(3, 1, 1);
    private final Regression baseline = new Regression(3, 1e-3, RandomStream.of(1, Purpose.VALUE_INIT), workers);
    private final RewardModel model = model(Grain.STEP);
    private List<Episode> batch = List.of();
    private List<Rewards> rewards = List.of();

    private RewardModel model(Grain grain) {
        return new RewardModel(
                new Regression(4, 1e-3, RandomStream.of(1, Purpose.MEAN_INIT), workers),
                Optional.empty(),
                new RewardModel.Settings(new Minibatches(2, 4), 1e-3, 0),
                grain,
                DISCOUNT,
                true,
                1);
    }

    @BeforeEach
    void sample() {
        try (LocalRollouts rollouts = new LocalRollouts(TASK, 1, RolloutMode.TRAINING, workers);
                EnvironmentReward oracle = new EnvironmentReward(TASK)) {
            batch = rollouts.sample(policy, 1, COUNT);
            rewards = oracle.evaluate(batch);
        }
        // a model and a baseline that say something, and something wrong
        model.learn(everything(), baseline, 1);
        for (int i = 0; i < baseline.parameters().length; i++) {
            baseline.parameters()[i] += (float) (0.01 * Math.sin(i));
        }
    }

    @AfterEach
    void close() {
        workers.close();
    }

    private PaidBatch everything() {
        return new PaidBatch(Batches.of(batch), Selection.withoutKernel(WeightedPoints.all(COUNT)), rewards);
    }

    /** Σ of the coefficients of each step of the batch, wherever its samples stand. */
    private static double[] perStep(AdvantageBatch samples, int steps) {
        double[] sums = new double[steps];
        for (int i = 0; i < samples.size(); i++) {
            sums[i % steps] += samples.coefficients()[i];
        }
        return sums;
    }

    private double[] corrected(Credit credit, AdvantageForm correction, CorrectionWeights factor, boolean standardize) {
        AdvantageBatch samples =
                new CorrectedAdvantage(model, credit, correction, factor, standardize).estimate(everything(), baseline);
        return perStep(samples, everything().allSteps().size());
    }

    @ParameterizedTest
    @EnumSource(AdvantageForm.class)
    void whereEverythingIsPaidForTheModelCancels(AdvantageForm form) {
        for (boolean stepDiscount : new boolean[] {true, false}) {
            Credit credit = new Credit(form, DISCOUNT, stepDiscount);
            float[] large = new PlainAdvantage(credit, false)
                    .estimate(everything(), baseline)
                    .coefficients();
            double[] ours = corrected(credit, form, CorrectionWeights.scaled(1), false);
            double[] modelAlone = corrected(credit, form, CorrectionWeights.scaled(0), false);
            double difference = 0;
            for (int i = 0; i < large.length; i++) {
                assertThat(ours[i]).isCloseTo(large[i], offset(2e-5));
                difference = Math.max(difference, Math.abs(modelAlone[i] - large[i]));
            }
            assertThat(difference).as("the model alone is not right").isGreaterThan(0.1);
            assertThat(corrected(credit, form, CorrectionWeights.share(), false))
                    .isEqualTo(ours);
        }
    }

    /** The paper bootstraps only the model's part, so its form differs from the large batch by what it leaves in. */
    @Test
    void thePapersFormIsNotTheLargeBatch() {
        Credit credit = new Credit(AdvantageForm.E2, DISCOUNT, true);
        float[] large = new PlainAdvantage(credit, false)
                .estimate(everything(), baseline)
                .coefficients();
        double[] paper = corrected(credit, AdvantageForm.E1, CorrectionWeights.scaled(1), false);
        double difference = 0;
        for (int i = 0; i < large.length; i++) {
            difference = Math.max(difference, Math.abs(paper[i] - large[i]));
        }
        assertThat(difference).isGreaterThan(1e-3);
    }

    @Test
    void unpaidEpisodesCountWithWhatTheModelExpects() {
        Credit credit = new Credit(AdvantageForm.E1, DISCOUNT, true);
        PaidBatch paid = new PaidBatch(
                Batches.of(batch),
                Selection.withoutKernel(new WeightedPoints(new int[] {3, 0}, new double[] {0.25, 0.75})),
                List.of(rewards.get(3), rewards.get(0)));
        AdvantageBatch samples = new CorrectedAdvantage(
                        model, credit, AdvantageForm.E1, CorrectionWeights.scaled(0.5), false)
                .estimate(paid, baseline);
        int length = batch.getFirst().length();
        assertThat(samples.size()).isEqualTo((COUNT + 2) * length);
        double[] modelled = model.predict(paid.allSteps());
        double[] values = baseline.predict(paid.allSteps().observations());
        int t = 7;
        double fake = 0;
        double missed = 0;
        for (int u = length - 1; u >= t; u--) {
            fake = modelled[length + u] + DISCOUNT * fake;
            missed = rewards.get(3).values()[u] - modelled[3 * length + u] + DISCOUNT * missed;
        }
        double factor = Math.pow(DISCOUNT, t);
        assertThat((double) samples.coefficients()[length + t])
                .isCloseTo(factor * (fake - values[length + t]) / COUNT, offset(1e-5));
        assertThat((double) samples.coefficients()[COUNT * length + t])
                .isCloseTo(0.5 * 0.25 * factor * missed, offset(1e-5));
    }

    /** One number for an episode: what the model misses of it counts the same at every step, and so with γ^t taken in. */
    @Test
    void whatIsMissedOfAWholeEpisodeCountsAtEveryStep() {
        RewardModel ofSums = model(Grain.EPISODE);
        Credit credit = new Credit(AdvantageForm.E1, DISCOUNT, true);
        int length = batch.getFirst().length();
        double told = 12.5;
        PaidBatch paid = new PaidBatch(
                Batches.of(batch),
                Selection.withoutKernel(new WeightedPoints(new int[] {3}, new double[] {1})),
                List.of(Rewards.ofEpisode(told, length)));
        AdvantageBatch samples = new CorrectedAdvantage(
                        ofSums, credit, AdvantageForm.E1, CorrectionWeights.scaled(0.5), false)
                .estimate(paid, baseline);
        double[] modelled = ofSums.predict(paid.allSteps());
        double missed = Math.pow(DISCOUNT, length - 1) * told;
        for (int u = 0; u < length; u++) {
            missed -= Math.pow(DISCOUNT, u) * modelled[3 * length + u];
        }
        for (int t = 0; t < length; t++) {
            assertThat((double) samples.coefficients()[COUNT * length + t]).isCloseTo(0.5 * missed, offset(1e-4));
        }
    }

    /** Standardised, it is the standardised large batch where everything is paid for, but for a factor. */
    @Test
    void standardizingCentresBothPartsTogether() {
        for (boolean stepDiscount : new boolean[] {true, false}) {
            Credit credit = new Credit(AdvantageForm.E2, DISCOUNT, stepDiscount);
            float[] large = new PlainAdvantage(credit, true)
                    .estimate(everything(), baseline)
                    .coefficients();
            double[] ours = corrected(credit, AdvantageForm.E2, CorrectionWeights.scaled(1), true);
            double[] modelAlone = corrected(credit, AdvantageForm.E2, CorrectionWeights.scaled(0), true);
            double products = 0;
            double squares = 0;
            double ofModel = 0;
            double factors = 0;
            for (int i = 0; i < large.length; i++) {
                products += ours[i] * large[i];
                squares += large[i] * large[i];
                double factor =
                        stepDiscount ? Math.pow(DISCOUNT, i % batch.getFirst().length()) : 1;
                ofModel += modelAlone[i] * modelAlone[i] * COUNT / factor;
                factors += factor / COUNT;
            }
            for (int i = 0; i < large.length; i++) {
                assertThat(ours[i]).isCloseTo(products / squares * large[i], offset(1e-5));
            }
            assertThat(Arrays.stream(modelAlone).sum()).isCloseTo(0, offset(1e-4));
            assertThat(ofModel / factors).as("variance of the model's part").isCloseTo(1, offset(1e-4));
        }
    }

    /** Episodes of all lengths, paid for in another order than sampled: what is paid must meet its own model. */
    @ParameterizedTest
    @EnumSource(AdvantageForm.class)
    void theModelCancelsForEpisodesOfAllLengthsInAnyOrder(AdvantageForm form) {
        int[] lengths = {3, 1, 0, 7, 4};
        List<Episode> mixed = new ArrayList<>();
        List<Rewards> all = new ArrayList<>();
        for (int e = 0; e < COUNT; e++) {
            mixed.add(shortened(batch.get(e), lengths[e]));
            all.add(new Rewards(Arrays.copyOf(rewards.get(e).values(), lengths[e])));
        }
        WeightedPoints order = WeightedPoints.equal(3, 0, 4, 2, 1);
        PaidBatch paid = new PaidBatch(Batches.of(mixed), Selection.withoutKernel(order), order.of(all));

        Credit credit = new Credit(form, DISCOUNT, true);
        AdvantageBatch large = new PlainAdvantage(credit, false)
                .estimate(
                        new PaidBatch(Batches.of(mixed), Selection.withoutKernel(WeightedPoints.all(COUNT)), all),
                        baseline);
        AdvantageBatch ours = new CorrectedAdvantage(model, credit, form, CorrectionWeights.scaled(1), false)
                .estimate(paid, baseline);
        // log-probabilities are set to tell steps apart
        for (int i = 0; i < large.size(); i++) {
            double sum = 0;
            for (int j = 0; j < ours.size(); j++) {
                sum += ours.oldLogProbs()[j] == large.oldLogProbs()[i] ? ours.coefficients()[j] : 0;
            }
            assertThat(sum).isCloseTo(large.coefficients()[i], offset(1e-5));
        }
    }

    private static Episode shortened(Episode episode, int length) {
        float[] names = new float[length];
        for (int t = 0; t < length; t++) {
            names[t] = 100 * episode.index() + t;
        }
        return new Episode(
                1,
                episode.index(),
                length,
                Arrays.copyOf(episode.observations(), 3 * length),
                Arrays.copyOf(episode.actions(), length),
                names,
                Arrays.copyOf(episode.states(), (episode.states().length / (episode.length() + 1)) * (length + 1)),
                length == 0 ? Ending.DIVERGED : Ending.TERMINATED);
    }
}
