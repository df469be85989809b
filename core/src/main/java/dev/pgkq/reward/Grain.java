package dev.pgkq.reward;

import dev.pgkq.episode.Steps;

/**
 * The granularity of an oracle's rewards: one for each step, or one number for the whole episode. A single number is credited
 * to the last step, so that returns are computed as for any rewards. The error of a reward model is then known for the sum
 * over the episode only.
 */
public enum Grain {
    /** A reward for each step. */
    STEP {
        @Override
        public double[] missed(Steps steps, double[] rewards, double[] expected, double discount) {
            double[] missed = new double[rewards.length];
            for (int i = 0; i < missed.length; i++) {
                missed[i] = rewards[i] - expected[i];
            }
            return missed;
        }
    },

    /** One number for the whole episode. */
    EPISODE {
        @Override
        public double[] missed(Steps steps, double[] rewards, double[] expected, double discount) {
            double[] missed = new double[rewards.length];
            for (int e = 0; e < steps.episodes(); e++) {
                // Σ_u γ^{u−t₀} m_u with t₀ the last step
                double sum = 0;
                for (int i = steps.start(e); i < steps.start(e + 1); i++) {
                    sum = sum / discount + expected[i];
                }
                int last = steps.start(e + 1) - 1;
                if (steps.length(e) > 0) {
                    missed[last] = rewards[last] - sum;
                }
            }
            return missed;
        }
    };

    /**
     * Computes the errors of expected rewards m, credited like the rewards r themselves: r − m of each step, or the
     * discounted sum over the episode as a reward of its last step.
     *
     * @param steps the steps of all episodes
     * @param rewards r of every step
     * @param expected m of every step
     * @param discount γ, above 0 and at most 1
     * @return the error credited to each step
     */
    public abstract double[] missed(Steps steps, double[] rewards, double[] expected, double discount);
}
