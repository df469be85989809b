package dev.pgkq.kernel;

import dev.pgkq.episode.Steps;
import dev.pgkq.policy.ScoreProjection;
import java.util.Arrays;

/** The factor x_t of a step's advantage in the sum whose error the quadrature keeps small. */
public interface StepFactors {
    /** {@return the size of x_t} */
    int dimensions();

    /**
     * Computes factors.
     *
     * @param steps of episodes
     * @return x of every step, row by row
     */
    float[] of(Steps steps);

    /** {@return x_t = 1: the sum of advantages, which the paper uses in place of the gradient} */
    static StepFactors ones() {
        return new StepFactors() {
            @Override
            public int dimensions() {
                return 1;
            }

            @Override
            public float[] of(Steps steps) {
                float[] ones = new float[steps.size()];
                Arrays.fill(ones, 1f);
                return ones;
            }
        };
    }

    /**
     * Uses projected scores: the sum is the projected gradient.
     *
     * @param projection of the scores
     * @return x_t = ∇ log π(a_t|s_t), projected
     */
    static StepFactors scores(ScoreProjection projection) {
        return new StepFactors() {
            @Override
            public int dimensions() {
                return projection.dimensions();
            }

            @Override
            public float[] of(Steps steps) {
                return projection.project(steps.starts(), steps.observations(), steps.actions());
            }
        };
    }
}
