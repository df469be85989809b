package dev.pgkq.kernel;

import dev.pgkq.credit.Credit;
import dev.pgkq.episode.Steps;

/**
 * The credit v_t of a step: the factor of the process's value at the step in the sum whose error the quadrature keeps
 * small.
 *
 * @param factors of the advantages in that sum
 * @param target what the process models
 * @param credit how rewards become advantages
 */
public record StepCredits(StepFactors factors, Credit.Target target, Credit credit) {
    /** {@return the size of v_t} */
    public int dimensions() {
        return factors.dimensions();
    }

    /**
     * Computes credits. The bits of an episode do not depend on the others.
     *
     * @param steps of episodes
     * @return v of every step, row by row
     */
    public float[] of(Steps steps) {
        return credit.of(target, steps.starts(), factors.of(steps), factors.dimensions());
    }
}
