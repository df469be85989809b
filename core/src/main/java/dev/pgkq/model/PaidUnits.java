package dev.pgkq.model;

import dev.pgkq.episode.Steps;
import dev.pgkq.nn.Units;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.reward.Grain;
import java.util.Arrays;

/**
 * The units of what was paid for in an iteration: mean and standard deviation over its steps. They follow every factor of the
 * rewards, and every offset that is added to the reward of each step unless an episode ends before its time limit.
 */
public final class PaidUnits {
    private PaidUnits() {}

    /**
     * Computes the units of returns. The mean is the constant V that is the mean of its own targets: with
     * y_t = R_t + b_t V, where b_t is γ^{T−t} in truncated episodes and 0 elsewhere, V = mean R_t / (1 − mean b_t).
     *
     * @param paid the batch and its paid rewards
     * @param bootstrap how returns of truncated episodes are continued
     * @return mean and deviation; {@link Units#UNKNOWN} without steps
     */
    public static Units ofReturns(PaidBatch paid, Bootstrap bootstrap) {
        double[] returns = paid.paidReturns(bootstrap.discount());
        double[] factors = bootstrap.factors(paid.paidSteps());
        double mean = mean(returns) / (1 - mean(factors));
        double squares = 0;
        for (int i = 0; i < returns.length; i++) {
            double error = returns[i] + factors[i] * mean - mean;
            squares += error * error;
        }
        return returns.length == 0 ? Units.UNKNOWN : new Units(mean, Math.sqrt(squares / returns.length));
    }

    /**
     * Computes the units of rewards of a step. If only S = Σ_u γ^u r_u of an episode is known, the mean is the constant m that
     * explains the sums best, and the deviation is that of their errors, both per step.
     *
     * @param paid the batch and its paid rewards
     * @param grain whether rewards of steps or of episodes are known
     * @param discount γ
     * @return mean and deviation; {@link Units#UNKNOWN} without steps
     */
    public static Units ofRewards(PaidBatch paid, Grain grain, double discount) {
        Steps steps = paid.paidSteps();
        double[] rewards = paid.paidRewards();
        if (rewards.length == 0) {
            return Units.UNKNOWN;
        }
        return switch (grain) {
            case STEP -> ofParts(rewards, ones(rewards.length));
            case EPISODE -> {
                double[] sums = new double[steps.episodes()];
                double[] counts = new double[steps.episodes()];
                for (int e = 0; e < sums.length; e++) {
                    double g = 1;
                    for (int i = steps.start(e); i < steps.start(e + 1); i++) {
                        sums[e] += g * rewards[i];
                        counts[e] += g;
                        g *= discount;
                    }
                }
                yield ofParts(sums, counts);
            }
        };
    }

    /** The constant m for which m · count is closest to the sums, and the deviation from it. */
    private static Units ofParts(double[] sums, double[] counts) {
        double products = 0;
        double squaredCounts = 0;
        for (int i = 0; i < sums.length; i++) {
            products += counts[i] * sums[i];
            squaredCounts += counts[i] * counts[i];
        }
        double mean = products / squaredCounts;
        double squares = 0;
        for (int i = 0; i < sums.length; i++) {
            double error = sums[i] - mean * counts[i];
            squares += error * error;
        }
        return new Units(mean, Math.sqrt(squares / squaredCounts));
    }

    private static double[] ones(int count) {
        double[] ones = new double[count];
        Arrays.fill(ones, 1);
        return ones;
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }
}
