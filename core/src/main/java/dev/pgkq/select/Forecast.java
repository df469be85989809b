package dev.pgkq.select;

import dev.pgkq.kernel.StepCredits;

/**
 * What is expected of a choice before any reward is known, from what is believed about rewards. Errors are squared, of the mean
 * gradient of the batch, relative to the squared error that it has because it is of N episodes only, and in the projection of the scores.
 *
 * @param errors expected error with 0, 1, 2 … of the chosen episodes paid for, in their order; NaN if nothing is known
 * @param next expected error if one more was paid for; NaN if nothing is known
 * @param inflation how many times larger squared errors have been than was predicted; part of all errors
 * @param credits v of the batch
 * @param variances the predicted mean square of the model's error in what each episode contributes: Σ_t v_t (r_t − r̂_t), or,
 *     where an episode has one number, that number; not inflated; empty if nothing is known
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Forecast(double[] errors, double next, double inflation, StepCredits credits, double[] variances) {
    /** {@return expected error if nothing was paid for} */
    public double before() {
        return errors[0];
    }

    /** {@return expected error with all chosen episodes paid for} */
    public double after() {
        return errors[errors.length - 1];
    }
}
