package dev.pgkq.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.batch.Batches;
import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.credit.Credit;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.nn.Regression;
import dev.pgkq.parallel.Workers;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.Rewards;
import dev.pgkq.select.Selection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlainAdvantageTest {
    private static final double DISCOUNT = 0.9;

    private final List<Episode> batch = List.of(
            episode(0, 3, Ending.TERMINATED),
            episode(1, 0, Ending.DIVERGED),
            episode(2, 2, Ending.TRUNCATED),
            episode(3, 4, Ending.TRUNCATED));
    private final WeightedPoints selected = new WeightedPoints(new int[] {3, 1, 0}, new double[] {0.5, 0.2, 0.3});
    private final List<Rewards> rewards = List.of(
            new Rewards(new double[] {1, 2, 3, 4}), new Rewards(new double[0]), new Rewards(new double[] {5, 6, 7}));

    private static Episode episode(int index, int length, Ending ending) {
        float[] observations = new float[2 * length];
        float[] logProbs = new float[length];
        for (int t = 0; t < length; t++) {
            observations[2 * t] = index;
            observations[2 * t + 1] = t;
            logProbs[t] = 10 * index + t;
        }
        return new Episode(1, index, length, observations, new float[length], logProbs, new double[length + 1], ending);
    }

    private static double[] returns(double[] rewards) {
        double[] returns = rewards.clone();
        for (int t = returns.length - 2; t >= 0; t--) {
            returns[t] += DISCOUNT * returns[t + 1];
        }
        return returns;
    }

    private AdvantageBatch estimate(PlainAdvantage advantage, double[] values) {
        try (Workers workers = new Workers(1)) {
            Regression baseline = new Regression(2, 1e-3, RandomStream.of(1, Purpose.VALUE_INIT), workers);
            AdvantageBatch samples = advantage.estimate(
                    new PaidBatch(Batches.of(batch), Selection.withoutKernel(selected), rewards), baseline);
            System.arraycopy(baseline.predict(samples.observations()), 0, values, 0, samples.size());
            return samples;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"E1", "E2"})
    void coefficientsAreWeightTimesDiscountTimesAdvantageInTheOrderOfTheSelection(AdvantageForm form) {
        for (boolean stepDiscount : new boolean[] {true, false}) {
            double[] values = new double[7];
            AdvantageBatch samples =
                    estimate(new PlainAdvantage(new Credit(form, DISCOUNT, stepDiscount), false), values);
            assertThat(samples.oldLogProbs()).containsExactly(30, 31, 32, 33, 0, 1, 2);
            int at = 0;
            for (int i : new int[] {0, 2}) {
                double[] returns = returns(rewards.get(i).values());
                double[] own = java.util.Arrays.copyOfRange(values, at, at + returns.length);
                double[] advantages = form.advantages(returns, own, DISCOUNT);
                for (int t = 0; t < returns.length; t++) {
                    double factor = selected.weights()[i] * (stepDiscount ? Math.pow(DISCOUNT, t) : 1);
                    assertThat((double) samples.coefficients()[at++]).isCloseTo(factor * advantages[t], offset(1e-5));
                }
            }
        }
    }

    @Test
    void standardizedAdvantagesHaveWeightedMeanZeroAndVarianceOne() {
        AdvantageBatch samples =
                estimate(new PlainAdvantage(new Credit(AdvantageForm.E1, DISCOUNT, false), true), new double[7]);
        double[] weights = {0.5, 0.5, 0.5, 0.5, 0.3, 0.3, 0.3};
        double mean = 0;
        double square = 0;
        double total = 0;
        for (int i = 0; i < 7; i++) {
            mean += samples.coefficients()[i];
            square += samples.coefficients()[i] * samples.coefficients()[i] / weights[i];
            total += weights[i];
        }
        assertThat(mean).isCloseTo(0, offset(1e-6));
        assertThat(square / total).isCloseTo(1, offset(1e-6));
    }
}
