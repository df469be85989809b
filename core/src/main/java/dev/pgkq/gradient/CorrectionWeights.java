package dev.pgkq.gradient;

import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;

/** The weights with which paid episodes represent the reward model's errors on the whole batch. */
public interface CorrectionWeights {
    /**
     * {@return a weight ≥ 0 for each paid episode, in the order of the selection}
     *
     * @param paid the batch with the paid rewards
     */
    double[] of(PaidBatch paid);

    /**
     * Saves the state of the weights, if they have any.
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

    /**
     * {@return the weights of the selection times a factor}
     *
     * @param factor 1 corrects fully, 0 uses the model alone
     */
    static CorrectionWeights scaled(double factor) {
        return paid -> scaled(paid, factor);
    }

    /**
     * {@return the weights of the selection times n/N} With w = 1/n this uses the true reward where it is known and
     * the model's elsewhere.
     */
    static CorrectionWeights share() {
        return paid -> scaled(paid, (double) paid.paidSteps().episodes() / paid.size());
    }

    private static double[] scaled(PaidBatch paid, double factor) {
        return Arrays.stream(paid.points().weights())
                .map(weight -> factor * weight)
                .toArray();
    }
}
