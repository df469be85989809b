package dev.pgkq.reward;

import dev.pgkq.episode.Steps;

/**
 * What an oracle tells of an episode: the reward of each step, or one number for the whole. The one number is credited to
 * the last step, so that returns are what they are for any rewards; but what a model of rewards misses of it is known of the
 * sum only.
 */
public enum Grain {
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
     * What {@code expected} rewards miss of the true ones, credited as those are: step by step, or Σ_u γ^u (r_u − m_u) of
     * the episode as a reward of its last step.
     */
    public abstract double[] missed(Steps steps, double[] rewards, double[] expected, double discount);
}
