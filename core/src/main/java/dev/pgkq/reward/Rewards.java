package dev.pgkq.reward;

import dev.pgkq.episode.Steps;

/**
 * The rewards of one episode. Every number is finite: an oracle that cannot evaluate a reward must fail instead.
 *
 * @param values the reward of each step
 */
public record Rewards(double[] values) {
    /**
     * Checks that all rewards are finite.
     *
     * @throws IllegalArgumentException if one is not
     */
    public Rewards {
        for (int t = 0; t < values.length; t++) {
            if (!Double.isFinite(values[t])) {
                throw new IllegalArgumentException("the reward of step " + t + " is " + values[t]);
            }
        }
    }

    /**
     * {@return the rewards of an episode whose last step has this reward and all others have 0}
     *
     * @param value reward of the last step; ignored if there are no steps
     * @param length number of steps, at least 0
     * @throws IllegalArgumentException if the reward is not finite
     */
    public static Rewards ofEpisode(double value, int length) {
        double[] values = new double[length];
        if (length > 0) {
            values[length - 1] = value;
        }
        return new Rewards(values);
    }

    /** {@return Σ r_t, undiscounted; 0 without steps} */
    public double total() {
        double total = 0;
        for (double reward : values) {
            total += reward;
        }
        return total;
    }

    /**
     * {@return R_t = Σ_{u ≥ t} γ^{u−t} r_u of every step, where the sum stays within the episode}
     *
     * @param steps the episodes
     * @param rewards r of every step, row by row
     * @param discount γ, above 0 and at most 1
     */
    public static double[] discountedReturns(Steps steps, double[] rewards, double discount) {
        double[] returns = new double[rewards.length];
        for (int e = 0; e < steps.episodes(); e++) {
            double following = 0;
            for (int i = steps.start(e + 1) - 1; i >= steps.start(e); i--) {
                following = rewards[i] + discount * following;
                returns[i] = following;
            }
        }
        return returns;
    }
}
