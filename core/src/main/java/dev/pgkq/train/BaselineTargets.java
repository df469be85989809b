package dev.pgkq.train;

import dev.pgkq.episode.Steps;
import dev.pgkq.model.Bootstrap;
import dev.pgkq.model.RewardEstimate;
import dev.pgkq.nn.Regression;
import dev.pgkq.nn.RegressionTargets;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.reward.Rewards;
import java.util.Arrays;

/** Computes the regression targets of the baseline. */
@FunctionalInterface
public interface BaselineTargets {
    /**
     * {@return the targets for a paid batch}
     *
     * @param paid the batch of the iteration with its paid rewards
     * @param baseline V, as it is before the fit
     */
    RegressionTargets of(PaidBatch paid, Regression baseline);

    /**
     * {@return targets R_t of the paid episodes; each step has the weight of its episode}
     *
     * @param bootstrap how returns of truncated episodes are continued
     */
    static BaselineTargets paidReturns(Bootstrap bootstrap) {
        return (paid, baseline) -> {
            Steps steps = paid.paidSteps();
            float[] weights = new float[steps.size()];
            for (int e = 0; e < steps.episodes(); e++) {
                float weight = (float) paid.points().weights()[e];
                Arrays.fill(weights, steps.start(e), steps.start(e + 1), weight);
            }
            return targets(steps, bootstrap.complete(steps, paid.paidReturns(bootstrap.discount()), baseline), weights);
        };
    }

    /**
     * {@return targets for all N episodes: the returns of estimated rewards; each step has the weight 1/N}
     *
     * @param rewards estimates the reward of every step; live, so that targets follow what is learned
     * @param bootstrap how returns of truncated episodes are continued
     */
    static BaselineTargets estimatedReturns(RewardEstimate rewards, Bootstrap bootstrap) {
        return (paid, baseline) -> {
            Steps steps = paid.allSteps();
            float[] weights = new float[steps.size()];
            Arrays.fill(weights, 1f / steps.episodes());
            double[] returns = Rewards.discountedReturns(steps, rewards.of(paid), bootstrap.discount());
            return targets(steps, bootstrap.complete(steps, returns, baseline), weights);
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
