package dev.pgkq.gradient;

import dev.pgkq.nn.Regression;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.state.Snapshot;

/** Computes the weighted samples of the policy step from a paid batch. */
public interface AdvantageEstimator {
    /**
     * Computes the samples.
     *
     * @param paid the batch with the paid rewards
     * @param baseline the value function V
     * @return the samples, each with its coefficient
     */
    AdvantageBatch estimate(PaidBatch paid, Regression baseline);

    /**
     * Saves the estimator's state, if it has any.
     *
     * @param into receives the state
     */
    default void save(Snapshot.Builder into) {}

    /**
     * Restores what {@link #save} saved.
     *
     * @param saved the saved state
     * @throws IllegalArgumentException if the saved state does not fit
     */
    default void restore(Snapshot saved) {}
}
