package dev.pgkq.select;

import dev.pgkq.kernel.StepCredits;
import java.util.Arrays;

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
    /**
     * {@return this forecast if only so many of the chosen episodes are paid for; exact if they are the first ones}
     *
     * @param count how many
     */
    public Forecast of(int count) {
        return count + 1 < errors.length
                ? new Forecast(Arrays.copyOf(errors, count + 1), errors[count + 1], inflation, credits, variances)
                : this;
    }

    /** {@return expected error if nothing was paid for} */
    public double before() {
        return errors[0];
    }

    /** {@return expected error with all chosen episodes paid for} */
    public double after() {
        return errors[errors.length - 1];
    }
}
