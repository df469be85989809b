package dev.pgkq.kernel;

import dev.pgkq.episode.Steps;
import dev.pgkq.policy.ScoreProjection;
import java.util.Arrays;

/** x_t: what the advantage of a step is multiplied with in the sum whose error the quadrature keeps small. */
public interface StepFactors {
    int dimensions();

    /** x of every step, row by row. */
    float[] of(Steps steps);

    /** x_t = 1: the sum of advantages, the paper's stand-in for the gradient. */
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

    /** x_t = ∇ log π(a_t|s_t), projected: the gradient itself. */
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
