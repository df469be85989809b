package dev.pgkq.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.batch.Batches;
import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.gp.DeepKernel;
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

class ReturnModelTest {
    private static final double DISCOUNT = 0.9;

    private static Episode episode(int index, int length) {
        float[] observations = new float[2 * length];
        float[] actions = new float[length];
        RandomStream random = RandomStream.of(3, Purpose.CHECK, index);
        for (int t = 0; t < length; t++) {
            observations[2 * t] = (float) random.nextGaussian();
            observations[2 * t + 1] = (float) random.nextGaussian();
            actions[t] = (float) random.nextGaussian();
        }
        return new Episode(
                1, index, length, observations, actions, new float[length], new double[length + 1], Ending.TERMINATED);
    }

    private static DeepKernel kernel(Workers workers) {
        return new DeepKernel(
                3, new DeepKernel.Settings(0, -2, 1, 8, 6, 1e-3), RandomStream.of(1, Purpose.KERNEL_INIT), workers);
    }

    /** The kernel that learned through the model is the one that learned R − V of the paid steps, in their order. */
    @Test
    void learnsWhatTheBaselineLeavesOfThePaidReturns() {
        try (Workers workers = new Workers(1)) {
            Regression baseline = new Regression(2, 1e-3, RandomStream.of(1, Purpose.VALUE_INIT), workers);
            for (int i = 0; i < baseline.parameters().length; i++) {
                baseline.parameters()[i] += (float) (0.05 * Math.sin(i));
            }
            List<Episode> batch = List.of(episode(0, 4), episode(1, 9), episode(2, 7));
            List<Rewards> prices =
                    List.of(new Rewards(new double[] {1, 2, 3, 4, 5, 6, 7}), new Rewards(new double[] {8, 9, 1, 2}));
            WeightedPoints points = new WeightedPoints(new int[] {2, 0}, new double[] {0.6, 0.4});
            PaidBatch paid = new PaidBatch(Batches.of(batch), Selection.withoutKernel(points), prices);
            DeepKernel learned = kernel(workers);
            Learner.Lesson lesson =
                    new ReturnModel(learned, new Bootstrap(AdvantageForm.E1, DISCOUNT), 5).learn(paid, baseline, 3);

            float[] inputs = new float[11 * 3];
            float[] states = new float[11 * 2];
            double[] values = new double[11];
            int at = 0;
            for (int e : new int[] {2, 0}) {
                Episode episode = batch.get(e);
                double[] rewards = prices.get(e == 2 ? 0 : 1).values();
                for (int t = 0; t < episode.length(); t++) {
                    states[2 * at] = episode.observations()[2 * t];
                    states[2 * at + 1] = episode.observations()[2 * t + 1];
                    System.arraycopy(states, 2 * at, inputs, 3 * at, 2);
                    inputs[3 * at + 2] = episode.actions()[t];
                    for (int u = t; u < rewards.length; u++) {
                        values[at] += Math.pow(DISCOUNT, u - t) * rewards[u];
                    }
                    at++;
                }
            }
            double[] expectedReturns = baseline.predict(states);
            for (int i = 0; i < values.length; i++) {
                values[i] -= expectedReturns[i];
            }
            DeepKernel expected = kernel(workers);
            expected.fit(inputs, values, RandomStream.of(5, Purpose.KERNEL_SHUFFLE, 3));
            float[] start = kernel(workers).parameters();
            assertThat(learned.parameters()).isNotEqualTo(start);
            for (int i = 0; i < start.length; i++) {
                assertThat(learned.parameters()[i]).isCloseTo(expected.parameters()[i], offset(1e-5f));
            }
            assertThat(lesson.meanError()).isNaN();
            assertThat(lesson.scale()).isEqualTo(learned.scale());
        }
    }
}
