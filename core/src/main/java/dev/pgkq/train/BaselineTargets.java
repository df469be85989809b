package dev.pgkq.train;

import dev.pgkq.episode.Steps;
import dev.pgkq.model.RewardModel;
import dev.pgkq.nn.RegressionTargets;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.reward.Rewards;
import java.util.Arrays;

/** Computes the regression targets of the baseline. */
@FunctionalInterface
public interface BaselineTargets {
    /** Returns the targets for a paid batch. */
    RegressionTargets of(PaidBatch paid);

    /** Returns targets R_t of the paid episodes; each step has the weight of its episode. */
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

    /** Returns targets for all episodes: the returns that the reward model expects. */
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
