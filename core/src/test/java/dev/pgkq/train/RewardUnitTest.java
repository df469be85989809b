package dev.pgkq.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.episode.Episode;
import dev.pgkq.model.RewardModel;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.policy.Policy;
import dev.pgkq.reward.EnvironmentReward;
import dev.pgkq.reward.Grain;
import dev.pgkq.reward.RewardOracle;
import dev.pgkq.reward.RewardSource;
import dev.pgkq.reward.Rewards;
import dev.pgkq.train.TrainSettings.Preset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is learned does not depend on the unit in which rewards are given. */
class RewardUnitTest {
    private static final Task PENDULUM = Tasks.named("Pendulum-v1");
    private static final int ITERATIONS = 2;

    /** The reward r of a task as {@code factor} r + {@code shift}, for each step or summed up over the episode. */
    private record OtherUnit(RewardOracle own, Grain grain, double factor, double shift) implements RewardOracle {
        @Override
        public List<Rewards> evaluate(List<Episode> episodes) {
            return own.evaluate(episodes).stream().map(this::converted).toList();
        }

        private Rewards converted(Rewards rewards) {
            double[] values = Arrays.stream(rewards.values())
                    .map(reward -> factor * reward + shift)
                    .toArray();
            return switch (grain) {
                case STEP -> new Rewards(values);
                case EPISODE -> Rewards.ofEpisode(Arrays.stream(values).sum(), values.length);
            };
        }
    }

    private static TrainSettings settings(String algorithm, Grain grain) {
        TrainSettings defaults = TrainSettings.defaults(Preset.STANDARD, Algorithm.named(algorithm), grain, 1);
        TrainSettings.Model model = defaults.model();
        return defaults.withBatch(6)
                .withSelect(3)
                .withBaseline(new TrainSettings.Baseline(new Minibatches(3, 2), 1e-3))
                .withModel(new TrainSettings.Model(
                        new RewardModel.Settings(
                                new Minibatches(3, 2), 1e-3, model.mean().memory()),
                        model.learn(),
                        model.correction()));
    }

    /** The returns of all iterations and the parameters of the policy after the last. */
    private static double[] train(String algorithm, Grain grain, double factor, double shift) {
        RewardOracle paid = new OtherUnit(new EnvironmentReward(PENDULUM), grain, factor, shift);
        List<Double> results = new ArrayList<>();
        try (Trainer trainer = new Trainer(
                PENDULUM, settings(algorithm, grain), RewardSource.of(paid), new EnvironmentReward(PENDULUM), 2)) {
            for (int i = 0; i < ITERATIONS; i++) {
                results.add(trainer.iterate().returnMean());
            }
            for (float parameter : trainer.policy().parameters()) {
                results.add((double) parameter);
            }
        }
        return results.stream().mapToDouble(Double::doubleValue).toArray();
    }

    @ParameterizedTest
    @MethodSource("dev.pgkq.train.TrainerTest#ppo")
    @Tag("unmutated")
    void aPowerOfTwoChangesNoBit(String algorithm) {
        sameBits(algorithm);
    }

    @ParameterizedTest
    @MethodSource("dev.pgkq.train.TrainerTest#vpg")
    @Tag("slow")
    void aPowerOfTwoChangesNoBitWithVpg(String algorithm) {
        sameBits(algorithm);
    }

    private static void sameBits(String algorithm) {
        assertThat(train(algorithm, Grain.STEP, 0x1p40, 0)).containsExactly(train(algorithm, Grain.STEP, 1, 0));
        assertThat(train(algorithm, Grain.EPISODE, 0x1p-40, 0)).containsExactly(train(algorithm, Grain.EPISODE, 1, 0));
    }

    /**
     * Adam turns a different rounding into a different sign where a gradient is near 0, so parameters are close on average,
     * compared with how far training has moved them.
     */
    @ParameterizedTest
    @MethodSource("dev.pgkq.train.TrainerTest#ppo")
    @Tag("unmutated")
    void otherFactorsAndOffsetsChangeRoundingOnly(String algorithm) {
        roundedAlike(algorithm);
    }

    @ParameterizedTest
    @MethodSource("dev.pgkq.train.TrainerTest#vpg")
    @Tag("slow")
    void otherFactorsAndOffsetsChangeRoundingOnlyWithVpg(String algorithm) {
        roundedAlike(algorithm);
    }

    private static void roundedAlike(String algorithm) {
        double[] plain = train(algorithm, Grain.STEP, 1, 0);
        double[] shifted = train(algorithm, Grain.STEP, 1e-3, 1);
        float[] start = Policy.initialize(PENDULUM.spec(), 1).parameters();
        double square = 0;
        double difference = 0;
        for (int i = ITERATIONS; i < plain.length; i++) {
            double moved = plain[i] - start[i - ITERATIONS];
            square += moved * moved;
            difference += (plain[i] - shifted[i]) * (plain[i] - shifted[i]);
        }
        assertThat(Math.sqrt(difference / square)).isLessThan(0.15);
    }
}
