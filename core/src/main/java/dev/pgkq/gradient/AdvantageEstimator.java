package dev.pgkq.gradient;

import dev.pgkq.nn.Regression;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.state.Snapshot;

/** Turns what was sampled, selected and paid for into weighted samples for the policy step. */
public interface AdvantageEstimator {
    /** @param baseline V */
    AdvantageBatch estimate(PaidBatch paid, Regression baseline);

    default void save(Snapshot.Builder into) {}

    default void restore(Snapshot saved) {}
}
