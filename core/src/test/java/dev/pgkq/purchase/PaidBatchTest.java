package dev.pgkq.purchase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.batch.Batches;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.reward.Grain;
import dev.pgkq.reward.Rewards;
import dev.pgkq.select.Selection;
import java.util.List;
import org.junit.jupiter.api.Test;

class PaidBatchTest {
    /** Two episodes of lengths 1 and 2; the first observation is the index of the episode. */
    private static final List<Episode> EPISODES = List.of(episode(0, 1), episode(1, 2));

    private static Episode episode(int index, int length) {
        float[] observations = new float[length];
        observations[0] = index;
        return new Episode(
                1,
                index,
                length,
                observations,
                new float[length],
                new float[length],
                new double[length + 1],
                Ending.TERMINATED);
    }

    private static PaidBatch paid(WeightedPoints points, double[]... rewards) {
        return new PaidBatch(
                Batches.of(EPISODES),
                Selection.withoutKernel(points),
                List.of(rewards).stream().map(Rewards::new).toList());
    }

    @Test
    void equalRewardsAreToldFromDifferentOnes() {
        PaidBatch different = paid(WeightedPoints.all(2), new double[] {5}, new double[] {3, 4});
        assertThat(different.spread(Grain.STEP)).isEqualTo(2);
        assertThat(different.spread(Grain.EPISODE)).as("7 and 5").isEqualTo(2);
        PaidBatch ones = paid(WeightedPoints.all(2), new double[] {1}, new double[] {1, 1});
        assertThat(ones.spread(Grain.STEP)).as("lengths differ").isEqualTo(1);
        PaidBatch zeros = paid(WeightedPoints.all(2), new double[] {0}, new double[] {0, 0});
        assertThat(zeros.spread(Grain.STEP)).isZero();
        assertThat(zeros.spread(Grain.EPISODE)).isZero();
        PaidBatch one = paid(new WeightedPoints(new int[] {0}, new double[] {1}), new double[] {5});
        assertThat(one.spread(Grain.STEP)).isNaN();
        assertThat(one.spread(Grain.EPISODE)).isNaN();
    }

    /** Even if every episode was paid for, in another order. */
    @Test
    void allStepsAreInTheOrderOfTheBatch() {
        WeightedPoints reversed = new WeightedPoints(new int[] {1, 0}, new double[] {0.25, 0.75});
        PaidBatch paid = paid(reversed, new double[] {3, 4}, new double[] {5});
        assertThat(paid.size()).isEqualTo(2);
        assertThat(paid.allSteps().observations()).containsExactly(0, 1, 0);
        assertThat(paid.paidSteps().observations()).containsExactly(1, 0, 0);
        assertThat(paid.paidRewards()).containsExactly(3, 4, 5);

        PaidBatch one = paid(new WeightedPoints(new int[] {0}, new double[] {1}), new double[] {5});
        assertThat(one.allSteps().observations()).containsExactly(0, 1, 0);
        assertThat(one.paidSteps().observations()).containsExactly(0);

        PaidBatch whole = paid(WeightedPoints.all(2), new double[] {5}, new double[] {3, 4});
        assertThat(whole.allSteps()).isSameAs(whole.paidSteps());
        assertThat(whole.allSteps().observations()).containsExactly(0, 1, 0);
    }

    @Test
    void returnsAreWeightedAndDiscounted() {
        WeightedPoints reversed = new WeightedPoints(new int[] {1, 0}, new double[] {0.25, 0.75});
        PaidBatch paid = paid(reversed, new double[] {3, 4}, new double[] {5});
        assertThat(paid.meanReturn()).isEqualTo(0.25 * 7 + 0.75 * 5);
        assertThat(paid.paidReturns(0.5)).containsExactly(new double[] {3 + 0.5 * 4, 4, 5}, offset(1e-12));
    }

    @Test
    void everyStepNeedsAReward() {
        assertThatThrownBy(() -> paid(WeightedPoints.all(2), new double[] {5}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("1 rewards for 2 episodes");
        assertThatThrownBy(() -> paid(WeightedPoints.all(2), new double[] {5}, new double[] {3}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("episode 1 has 2 steps and 1 rewards");
    }
}
