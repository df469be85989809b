package dev.pgkq.train.reference;

/**
 * What {@link ReferenceTrainer} takes beside the settings.
 *
 * @param estimator of advantages
 * @param standardTargets whether V, m and k are fitted in standard units
 * @param centredScores whether the score kernel subtracts the mean score where advantages are standardized
 */
record Switches(Estimator estimator, boolean standardTargets, boolean centredScores) {
    /** How Â_t is estimated from the returns of its episode and V. */
    enum Estimator {
        /** R_t + b_t − V(s_t), with b_t = γ^{T−t} V(s_T) if the time limit ended the episode, and 0 otherwise. */
        BOOTSTRAP,
        /** R_t − V(s_t). */
        E1,
        /** R_t − V(s_t) − γ^{t₀−t} (R_{t₀} − V(s_{t₀})), t₀ = T − 1. */
        E2
    }
}
