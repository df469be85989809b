package dev.pgkq.credit;

/**
 * The coefficients of returns and rewards in the sum Σ_t g_t x_t Â_t over an episode, with g_t = γ^t or 1.
 *
 * <p>Advantages are linear in the rewards, so the sum is Σ_t c_t (R_t − V_t) with c the transposed map of x, and
 * Σ_u v_u r_u (up to what does not depend on rewards) with v_u = Σ_{t ≤ u} γ^{u−t} c_t. With x_t = 1 these are the
 * coefficients of the paper: γ^t and (1 + t) γ^t, with a different last step in the bootstrapped form. With x_t the
 * score ∇ log π(a_t|s_t) the sum is the episode's policy gradient. Where only Σ_u γ^u r_u is known and takes the place
 * of γ^t R_t at every step, v_u = γ^u Σ_t γ^{−t} c_t.
 *
 * @param form the estimator of Â_t
 * @param discount γ
 * @param stepDiscount whether g_t is γ^t, as in the policy gradient theorem, or 1
 */
public record Credit(AdvantageForm form, double discount, boolean stepDiscount) {
    /** What a Gaussian process models. */
    public enum Target {
        /** R_t − V(s_t): the paper's Option 1. */
        RETURNS,
        /** r_t: the paper's Option 2. */
        REWARDS,
        /** r_t, of which only Σ_u γ^u r_u is known, so that every Â_t contains all of it: E1 without causality. */
        SUMS
    }

    /** {@return g_{t+1} / g_t: γ or 1} */
    public double stepFactor() {
        return stepDiscount ? discount : 1;
    }

    /**
     * Computes c or v of every step.
     *
     * @param target whether returns, rewards or their sums are modelled
     * @param starts where each episode's rows start, and where the last one ends
     * @param factors x, rows of {@code dimensions} values
     * @param dimensions size of a row
     * @return c for returns, v for rewards; rows of {@code dimensions} values
     */
    public float[] of(Target target, int[] starts, float[] factors, int dimensions) {
        float[] credits = new float[factors.length];
        for (int e = 0; e + 1 < starts.length; e++) {
            int length = starts[e + 1] - starts[e];
            int offset = starts[e] * dimensions;
            double[] rows = new double[length * dimensions];
            double g = 1;
            for (int t = 0; t < length; t++) {
                for (int d = 0; d < dimensions; d++) {
                    rows[t * dimensions + d] = g * factors[offset + t * dimensions + d];
                }
                g *= stepFactor();
            }
            form.transpose(rows, length, dimensions, discount);
            switch (target) {
                case RETURNS -> {}
                case REWARDS -> accumulate(rows, dimensions);
                case SUMS -> spread(rows, dimensions);
            }
            for (int i = 0; i < rows.length; i++) {
                credits[offset + i] = (float) rows[i];
            }
        }
        return credits;
    }

    private void accumulate(double[] rows, int dimensions) {
        for (int i = dimensions; i < rows.length; i++) {
            rows[i] += discount * rows[i - dimensions];
        }
    }

    /**
     * Σ_t γ^{u−t} c_t in every row u: forwards for t ≤ u, then backwards from the last row, which has the whole sum.
     */
    private void spread(double[] rows, int dimensions) {
        accumulate(rows, dimensions);
        for (int i = rows.length - dimensions - 1; i >= 0; i--) {
            rows[i] = rows[i + dimensions] / discount;
        }
    }
}
