package dev.pgkq.train;

import dev.pgkq.episode.Steps;
import dev.pgkq.model.RewardModel;
import dev.pgkq.nn.RegressionTargets;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.reward.Rewards;
import java.util.Arrays;

/** What the baseline is fitted to. */
@FunctionalInterface
public interface BaselineTargets {
    RegressionTargets of(PaidBatch paid);

    /** R_t of the paid episodes, each step with its episode's weight. */
    static BaselineTargets paidReturns(double discount) {
        return paid -> {
            Steps steps = paid.paidSteps();
            float[] weights = new float[steps.size()];
            for (int e = 0; e < steps.episodes(); e++) {
                float weight = (float) paid.points().weights()[e];
                Arrays.fill(weights, steps.start(e), steps.start(e + 1), weight);
            }
            return targets(steps, paid.paidReturns(discount), weights);
        };
    }

    /** The returns that the reward model expects, of all episodes. */
    static BaselineTargets modelledReturns(RewardModel model, double discount) {
        return paid -> {
            Steps steps = paid.allSteps();
            float[] weights = new float[steps.size()];
            Arrays.fill(weights, 1f / steps.episodes());
            return targets(steps, Rewards.discountedReturns(steps, model.predict(steps), discount), weights);
        };
    }

    private static RegressionTargets targets(Steps steps, double[] returns, float[] weights) {
        float[] values = new float[returns.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) returns[i];
        }
        return new RegressionTargets(steps.size(), steps.observations(), values, weights);
    }
}
