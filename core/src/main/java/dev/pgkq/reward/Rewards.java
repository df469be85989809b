package dev.pgkq.reward;

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

    /** Σ r_t, undiscounted. */
    public double total() {
        double total = 0;
        for (double reward : values) {
            total += reward;
        }
        return total;
    }

    /** R_t = Σ_{u ≥ t} γ^{u−t} r_u for every t. */
    public double[] discountedReturns(double discount) {
        double[] returns = new double[values.length];
        double following = 0;
        for (int t = values.length - 1; t >= 0; t--) {
            following = values[t] + discount * following;
            returns[t] = following;
        }
        return returns;
    }
}
