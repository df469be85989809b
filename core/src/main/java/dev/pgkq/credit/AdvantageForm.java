package dev.pgkq.credit;

/** How the advantage of a step is estimated from the returns of its episode and the baseline. */
public enum AdvantageForm {
    /** Â_t = R_t − V(s_t). */
    E1 {
        @Override
        public double[] advantages(double[] returns, float[] values, double discount) {
            double[] advantages = new double[returns.length];
            for (int t = 0; t < returns.length; t++) {
                advantages[t] = returns[t] - values[t];
            }
            return advantages;
        }

        @Override
        public void transpose(double[] rows, int length, int dimensions, double discount) {
            // the identity
        }
    },

    /**
     * Â'_t = R_t − V(s_t) − γ^{t₀−t} (R_{t₀} − V(s_{t₀})) with t₀ the last step: bootstraps from the last state, so that
     * a time limit does not look like a death.
     */
    E2 {
        @Override
        public double[] advantages(double[] returns, float[] values, double discount) {
            double[] advantages = E1.advantages(returns, values, discount);
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

    /** Â_t for every step of an episode with returns R_t and baseline values V(s_t). */
    public abstract double[] advantages(double[] returns, float[] values, double discount);

    /**
     * The transpose of the linear map from returns to advantages. Where Σ_t x_t Â_t is wanted as a sum over returns,
     * Σ_t c_t (R_t − V_t), this makes c of x, in place: {@code length} rows of {@code dimensions} values.
     */
    public abstract void transpose(double[] rows, int length, int dimensions, double discount);
}
