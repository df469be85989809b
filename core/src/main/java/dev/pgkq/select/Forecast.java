package dev.pgkq.select;

import dev.pgkq.kernel.StepCredits;

/**
 * What is expected of a choice before any reward is known, from what is believed about rewards. Errors are squared, of the mean
 * gradient of the batch, relative to its squared size, and in the projection of the scores.
 *
 * @param before expected error if nothing was paid for; NaN if nothing is known
 * @param after expected error with the chosen episodes paid for; NaN if nothing is known
 * @param credits v of the batch
 * @param variances the predicted mean square of the model's error in what each episode contributes: Σ_t v_t (r_t − r̂_t), or,
 *     where an episode has one number, that number; not inflated; empty if nothing is known
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Forecast(double before, double after, StepCredits credits, double[] variances) {}
