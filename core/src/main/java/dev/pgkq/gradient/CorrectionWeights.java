package dev.pgkq.gradient;

import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;

/** The weights with which paid episodes represent the reward model's errors on the whole batch. */
public interface CorrectionWeights {
    /** Returns a weight ≥ 0 for each paid episode. */
    double[] of(PaidBatch paid);

    /** Saves the state of the weights, if they have any. */
    default void save(Snapshot.Builder into) {}

    /**
     * Restores what {@link #save} saved.
     *
     * @throws IllegalArgumentException if the saved state does not fit
     */
    default void restore(Snapshot saved) {}

    /** Returns {@code factor} times the weights of the selection: 1 corrects fully, 0 uses the model alone. */
    static CorrectionWeights scaled(double factor) {
        return paid -> scaled(paid, factor);
    }

    /** Returns n/N times the weights: with w = 1/n, the true reward where it is known and the model's elsewhere. */
    static CorrectionWeights share() {
        return paid -> scaled(paid, (double) paid.paidSteps().episodes() / paid.size());
    }

    private static double[] scaled(PaidBatch paid, double factor) {
        return Arrays.stream(paid.points().weights())
                .map(weight -> factor * weight)
                .toArray();
    }
}
