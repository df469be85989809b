package dev.pgkq.kernel;

import dev.pgkq.credit.Credit;
import dev.pgkq.episode.Steps;

/**
 * v_t: what the process's value at a step counts in the sum whose error the quadrature keeps small.
 *
 * @param factors what advantages are summed up with
 * @param target what the process is a model of
 * @param credit how rewards become advantages
 */
public record StepCredits(StepFactors factors, Credit.Target target, Credit credit) {
    public int dimensions() {
        return factors.dimensions();
    }

    /** v of every step, row by row; of an episode, the same bits whatever the others are. */
    public float[] of(Steps steps) {
        return credit.of(target, steps.starts(), factors.of(steps), factors.dimensions());
    }
}
