package dev.pgkq.credit;

/** How the advantage of a step is estimated from the returns of its episode and the baseline. */
public enum AdvantageForm {
    /**
     * Â_t = R_t − V(s_t), where the returns of a truncated episode are continued with γ^{T−t} V(s_T), so that a time limit does
     * not look like a terminal state.
     */
    BOOTSTRAP,

    /** Â_t = R_t − V(s_t). */
    E1,

    /**
     * Â'_t = R_t − V(s_t) − γ^{t₀−t} (R_{t₀} − V(s_{t₀})) with t₀ the last step: bootstraps from the last state, however the
     * episode ended. The reward of the last step cancels.
     */
    E2 {
        @Override
        public double[] advantages(double[] returns, double[] values, double discount) {
            double[] advantages = super.advantages(returns, values, discount);
            if (advantages.length > 0) {
                double correction = advantages[advantages.length - 1];
                for (int t = advantages.length - 1; t >= 0; t--) {
                    advantages[t] -= correction;
                    correction *= discount;
                }
            }
            return advantages;
        }

        @Override
        public void transpose(double[] rows, int length, int dimensions, double discount) {
            int last = (length - 1) * dimensions;
            for (int d = 0; length > 0 && d < dimensions; d++) {
                double sum = 0;
                for (int t = 0; t < length; t++) {
                    sum = discount * sum + rows[t * dimensions + d];
                }
                rows[last + d] -= sum;
            }
        }
    };

    /** {@return whether the returns of a truncated episode are bootstrapped from its final observation} */
    public boolean bootstraps() {
        return this == BOOTSTRAP;
    }

    /**
     * Estimates the advantages of an episode.
     *
     * @param returns R_t of every step, bootstrapped where the form says so
     * @param values V(s_t) of every step
     * @param discount γ
     * @return Â_t of every step
     */
    public double[] advantages(double[] returns, double[] values, double discount) {
        double[] advantages = new double[returns.length];
        for (int t = 0; t < returns.length; t++) {
            advantages[t] = returns[t] - values[t];
        }
        return advantages;
    }

    /**
     * Applies the transpose of the linear map from returns to advantages, in place. It turns x into the c with
     * Σ_t x_t Â_t = Σ_t c_t (R_t − V_t).
     *
     * @param rows x, which becomes c
     * @param length number of rows, one a step
     * @param dimensions size of a row
     * @param discount γ
     */
    public void transpose(double[] rows, int length, int dimensions, double discount) {
        // unless a form says otherwise, the map is the identity up to a constant
    }
}
