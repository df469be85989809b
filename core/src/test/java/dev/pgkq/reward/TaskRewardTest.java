package dev.pgkq.reward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.env.Pendulum;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.env.Yardstick;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.Steps;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TaskRewardTest {
    private static final Yardstick YARDSTICK = new Yardstick(2, 10, 110);

    /** An oracle of known rewards, the same for every episode of a length. */
    private static RewardOracle telling(double... rewards) {
        return episodes -> episodes.stream()
                .map(episode -> new Rewards(Arrays.copyOf(rewards, episode.length())))
                .toList();
    }

    private static Episode episode(int index, float... actions) {
        int length = actions.length;
        Ending ending = length == 0 ? Ending.DIVERGED : Ending.TERMINATED;
        return new Episode(
                3, index, length, new float[length], actions, new float[length], new double[length + 1], ending);
    }

    @Test
    void onlyStepsAboveTheThresholdEarn() {
        SparseReward sparse = new SparseReward(telling(1, 2, 2.5, 9), 2);
        assertThat(sparse.evaluate(List.of(episode(0, 0, 0, 0, 0))).getFirst().values())
                .containsExactly(0, 0, 1, 1);
    }

    /** 10 g/(g + h) (1 + s)/2 by hand: earned 60 of which 50 are above poor, h = 100. */
    @Test
    void aRatingIsTheFormula() {
        RatingReward rating = new RatingReward(telling(20, 20, 20), YARDSTICK);
        double third = 10 * 50.0 / 150;
        assertThat(score(rating, episode(0, 0.3f, 0.3f, 0.3f))).isCloseTo(third, offset(1e-9));
        // jumps of 1 and, since actions beyond 1 are clipped, of 0.5: d² = (1 + 0.25) / 2
        double smoothness = 1 / (1 + 4 * 0.625);
        assertThat(score(rating, episode(0, -0.5f, 0.5f, 7f))).isCloseTo(third * (1 + smoothness) / 2, offset(1e-6));
        assertThat(score(new RatingReward(telling(1, 2, 3), YARDSTICK), episode(0, 0, 0, 0)))
                .isZero();
        assertThat(score(new RatingReward(telling(5e9, 5e9), YARDSTICK), episode(0, 0, 0)))
                .isBetween(9.99, 10.0);
    }

    /** The whole score is the reward of the last step; an episode without steps has nowhere to put it. */
    private static double score(RatingReward rating, Episode episode) {
        double[] values = rating.evaluate(List.of(episode)).getFirst().values();
        for (int t = 0; t < values.length - 1; t++) {
            assertThat(values[t]).isZero();
        }
        assertThat(rating.evaluate(List.of(episode(1))).getFirst().values()).isEmpty();
        return values[values.length - 1];
    }

    @Test
    void noiseIsThatOfTheEpisodeAndHasItsDeviation() {
        double[] zeros = new double[100];
        List<Episode> episodes = new ArrayList<>();
        for (int e = 0; e < 100; e++) {
            episodes.add(episode(e, new float[100]));
        }
        NoisyReward steps = new NoisyReward(telling(zeros), Grain.STEP, 0.7, 5);
        double sum = 0;
        double squares = 0;
        for (Rewards rewards : steps.evaluate(episodes)) {
            for (double value : rewards.values()) {
                sum += value;
                squares += value * value;
            }
        }
        // 10,000 draws: four standard errors of a mean and of a mean square
        assertThat(sum / 1e4).isCloseTo(0, offset(4 * 0.7 / 100));
        assertThat(squares / 1e4).isCloseTo(0.49, offset(4 * 0.49 * Math.sqrt(2) / 100));

        NoisyReward whole = new NoisyReward(telling(zeros), Grain.EPISODE, 0.7, 5);
        double[] ofOne = whole.evaluate(List.of(episodes.get(7))).getFirst().values();
        assertThat(Arrays.copyOf(ofOne, 99)).containsOnly(0);
        assertThat(ofOne[99]).isNotZero();
        // whoever else is evaluated, in whatever order
        assertThat(whole.evaluate(episodes.reversed()).get(92).values()).isEqualTo(ofOne);
        assertThat(new NoisyReward(telling(zeros), Grain.EPISODE, 0.7, 6)
                        .evaluate(List.of(episodes.get(7)))
                        .getFirst()
                        .values())
                .isNotEqualTo(ofOne);
    }

    /** What is missed of an episode, as a reward of its last step, has the discounted sum of what is missed of the steps. */
    @Test
    void whatIsMissedOfAnEpisodeIsTheSumOverItsSteps() {
        Steps steps = Steps.of(List.of(episode(0, 0, 0, 0), episode(1), episode(2, 0, 0)));
        double[] rewards = {1, 2, 3, 4, 5};
        double[] expected = {0.5, -1, 2, 0.25, 7};
        double discount = 0.9;
        double[] each = Grain.STEP.missed(steps, rewards, expected, discount);
        assertThat(each).containsExactly(0.5, 3, 1, 3.75, -2);
        double[] told = {0, 0, 1 / 0.81 + 2 / 0.9 + 3, 0, 4 / 0.9 + 5};
        double[] whole = Grain.EPISODE.missed(steps, told, expected, discount);
        assertThat(whole[0]).isZero();
        assertThat(Rewards.discountedReturns(steps, whole, discount)[0])
                .isCloseTo(Rewards.discountedReturns(steps, each, discount)[0], offset(1e-12));
        assertThat(Rewards.discountedReturns(steps, whole, discount)[3])
                .isCloseTo(Rewards.discountedReturns(steps, each, discount)[3], offset(1e-12));
    }

    @ParameterizedTest
    @EnumSource(TaskReward.class)
    void tasksWithoutAYardstickHaveTheirOwnRewardOnly(TaskReward reward) {
        Task plain = new Task("Plain-v0", "", Pendulum::new);

        reward.open(Tasks.named("Pendulum-v1")).close();
        if (reward == TaskReward.BUILTIN) {
            reward.open(plain).close();
        } else {
            assertThatThrownBy(() -> reward.open(plain))
                    .isInstanceOf(UnsupportedRewardException.class)
                    .hasMessageContaining("Plain-v0");
        }
    }
}
