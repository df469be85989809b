package dev.pgkq.reward;

import dev.pgkq.episode.Steps;

/**
 * The rewards of one episode, one a step. An oracle that cannot tell a reward must fail: here every number is finite.
 *
 * @param values reward of each step
 */
public record Rewards(double[] values) {
    public Rewards {
        for (int t = 0; t < values.length; t++) {
            if (!Double.isFinite(values[t])) {
                throw new IllegalArgumentException("the reward of step " + t + " is " + values[t]);
            }
        }
    }

    /** One number for an episode of that length, as the reward of its last step. */
    public static Rewards ofEpisode(double value, int length) {
        double[] values = new double[length];
        if (length > 0) {
            values[length - 1] = value;
        }
        return new Rewards(values);
    }

    /** Σ r_t, undiscounted. */
    public double total() {
        double total = 0;
        for (double reward : values) {
            total += reward;
        }
        return total;
    }

    /** R_t = Σ_{u ≥ t} γ^{u−t} r_u of every step, episode by episode. */
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
