package dev.pgkq.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.batch.Batches;
import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.Steps;
import dev.pgkq.nn.Regression;
import dev.pgkq.nn.Units;
import dev.pgkq.parallel.Workers;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.Grain;
import dev.pgkq.reward.Rewards;
import dev.pgkq.select.Selection;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** Returns of truncated episodes, and the units of returns and rewards. */
class BootstrapTest {
    private static final double DISCOUNT = 0.9;
    private static final Bootstrap BOOTSTRAP = new Bootstrap(AdvantageForm.BOOTSTRAP, DISCOUNT);

    private static Episode episode(int index, int length, Ending ending) {
        float[] observations = new float[2 * length];
        for (int i = 0; i < observations.length; i++) {
            observations[i] = 0.1f * i + index;
        }
        float[] last = ending == Ending.TRUNCATED ? new float[] {index, -1} : new float[0];
        return new Episode(
                1,
                index,
                length,
                observations,
                new float[length],
                new float[length],
                new double[length + 1],
                last,
                ending);
    }

    private static final List<Episode> MIXED = List.of(
            episode(0, 3, Ending.TRUNCATED),
            episode(1, 2, Ending.TERMINATED),
            episode(2, 0, Ending.DIVERGED),
            episode(3, 4, Ending.TRUNCATED));

    private static final List<Episode> CUT = List.of(episode(0, 5, Ending.TRUNCATED), episode(1, 5, Ending.TRUNCATED));

    private static PaidBatch paid(List<Episode> episodes, double factor, double shift) {
        RandomStream random = RandomStream.of(3, Purpose.CHECK);
        List<Rewards> rewards = episodes.stream()
                .map(episode -> new Rewards(DoubleStream.generate(() -> factor * random.nextGaussian() + shift)
                        .limit(episode.length())
                        .toArray()))
                .toList();
        int[] all = new int[episodes.size()];
        Arrays.setAll(all, i -> i);
        double[] weights = new double[all.length];
        Arrays.fill(weights, 1.0 / all.length);
        return new PaidBatch(Batches.of(episodes), Selection.withoutKernel(new WeightedPoints(all, weights)), rewards);
    }

    @Test
    void onlyTruncatedEpisodesGoOn() {
        try (Workers workers = new Workers(1)) {
            Regression baseline = new Regression(2, 1e-3, RandomStream.of(1, Purpose.VALUE_INIT), workers);
            double[] returns = {1, 2, 3, 4, 5, 6, 7, 8, 9};
            double[] found = BOOTSTRAP.complete(Steps.of(MIXED), returns.clone(), baseline);
            double first = baseline.predict(new float[] {0, -1})[0];
            double fourth = baseline.predict(new float[] {3, -1})[0];
            assertThat(first).isNotZero();
            double[] expected = {
                1 + Math.pow(DISCOUNT, 3) * first,
                2 + Math.pow(DISCOUNT, 2) * first,
                3 + DISCOUNT * first,
                4,
                5,
                6 + Math.pow(DISCOUNT, 4) * fourth,
                7 + Math.pow(DISCOUNT, 3) * fourth,
                8 + Math.pow(DISCOUNT, 2) * fourth,
                9 + DISCOUNT * fourth
            };
            assertThat(found).containsExactly(expected, offset(1e-12));
            for (AdvantageForm form : List.of(AdvantageForm.E1, AdvantageForm.E2)) {
                assertThat(new Bootstrap(form, DISCOUNT).complete(Steps.of(MIXED), returns.clone(), baseline))
                        .containsExactly(returns);
            }
        }
    }

    @Test
    void aTruncatedEpisodeWithoutFinalObservationIsRefused() {
        Episode unknown =
                new Episode(1, 0, 1, new float[2], new float[1], new float[1], new double[2], Ending.TRUNCATED);
        try (Workers workers = new Workers(1)) {
            Regression baseline = new Regression(2, 1e-3, RandomStream.of(1, Purpose.VALUE_INIT), workers);
            assertThatThrownBy(() -> BOOTSTRAP.complete(Steps.of(List.of(unknown)), new double[1], baseline))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("final observation");
        }
    }

    /** V = offset is the mean of the targets that it gives, and the scale is their deviation from it. */
    @Test
    void theUnitsOfReturnsAreConsistentWithThemselves() {
        PaidBatch paid = paid(MIXED, 1, 0.5);
        Units units = PaidUnits.ofReturns(paid, BOOTSTRAP);
        double[] targets = paid.paidReturns(DISCOUNT);
        double[] factors = BOOTSTRAP.factors(paid.paidSteps());
        for (int i = 0; i < targets.length; i++) {
            targets[i] += factors[i] * units.offset();
        }
        double mean = Arrays.stream(targets).average().orElseThrow();
        double square = Arrays.stream(targets)
                .map(target -> (target - mean) * (target - mean))
                .average()
                .orElseThrow();
        assertThat(units.offset()).isCloseTo(mean, offset(1e-12));
        assertThat(units.scale()).isCloseTo(Math.sqrt(square), offset(1e-12));
    }

    @Test
    void anOffsetOfEveryRewardMovesReturnsByItsSumOverAllTimeIfEpisodesAreCutOff() {
        Units plain = PaidUnits.ofReturns(paid(CUT, 1, 0), BOOTSTRAP);
        Units shifted = PaidUnits.ofReturns(paid(CUT, 1, 1000), BOOTSTRAP);
        assertThat(shifted.offset() - plain.offset()).isCloseTo(1000 / (1 - DISCOUNT), offset(1e-6));
        assertThat(shifted.scale()).isCloseTo(plain.scale(), offset(1e-6));
    }

    @Test
    void aFactorMultipliesBothUnits() {
        for (Grain grain : Grain.values()) {
            Units plain = PaidUnits.ofRewards(paid(MIXED, 1, 0), grain, DISCOUNT);
            assertThat(PaidUnits.ofRewards(paid(MIXED, 0x1p70, 0), grain, DISCOUNT))
                    .isEqualTo(new Units(0x1p70 * plain.offset(), 0x1p70 * plain.scale()));
        }
        Units returns = PaidUnits.ofReturns(paid(MIXED, 1, 0), BOOTSTRAP);
        assertThat(PaidUnits.ofReturns(paid(MIXED, 0x1p70, 0), BOOTSTRAP))
                .isEqualTo(new Units(0x1p70 * returns.offset(), 0x1p70 * returns.scale()));
    }

    @Test
    void theUnitsOfRewardsOfStepsAreTheirMeanAndDeviation() {
        PaidBatch paid = paid(MIXED, 2, 5);
        double[] rewards = paid.paidRewards();
        double mean = Arrays.stream(rewards).average().orElseThrow();
        double square = Arrays.stream(rewards)
                .map(reward -> (reward - mean) * (reward - mean))
                .average()
                .orElseThrow();
        Units units = PaidUnits.ofRewards(paid, Grain.STEP, DISCOUNT);
        assertThat(units.offset()).isCloseTo(mean, offset(1e-12));
        assertThat(units.scale()).isCloseTo(Math.sqrt(square), offset(1e-12));
    }

    /** With one reward c Σ γ^u per episode, each step's share is c; what is left over is what sums differ by. */
    @Test
    void theUnitsOfRewardsOfEpisodesArePerStep() {
        Episode three = episode(0, 3, Ending.TERMINATED);
        Episode five = episode(1, 5, Ending.TERMINATED);
        double ofThree = 1 + DISCOUNT + Math.pow(DISCOUNT, 2);
        double ofFive = ofThree + Math.pow(DISCOUNT, 3) + Math.pow(DISCOUNT, 4);
        List<Rewards> rewards = List.of(
                Rewards.ofEpisode(7 * ofThree / Math.pow(DISCOUNT, 2), 3),
                Rewards.ofEpisode(7 * ofFive / Math.pow(DISCOUNT, 4), 5));
        PaidBatch paid = new PaidBatch(
                Batches.of(List.of(three, five)),
                Selection.withoutKernel(new WeightedPoints(new int[] {0, 1}, new double[] {0.5, 0.5})),
                rewards);
        Units units = PaidUnits.ofRewards(paid, Grain.EPISODE, DISCOUNT);
        assertThat(units.offset()).isCloseTo(7, offset(1e-12));
        assertThat(units.scale()).isCloseTo(0, offset(1e-12));
    }
}
