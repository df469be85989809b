package dev.pgkq.gradient;

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
    };

    /** Â_t for every step of an episode with returns R_t and baseline values V(s_t). */
    public abstract double[] advantages(double[] returns, float[] values, double discount);
}
