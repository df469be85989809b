package dev.pgkq.gradient;

import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;

/** With what weight each paid episode says what the model misses of the whole batch. */
public interface CorrectionWeights {
    /** A weight ≥ 0 for each paid episode. */
    double[] of(PaidBatch paid);

    default void save(Snapshot.Builder into) {}

    default void restore(Snapshot saved) {}

    /** {@code factor} times the weights of the selection: 1 corrects in full, 0 trusts the model alone. */
    static CorrectionWeights scaled(double factor) {
        return paid -> scaled(paid, factor);
    }

    /** n/N times the weights: with w = 1/n the true reward counts where it is known and the model's elsewhere. */
    static CorrectionWeights share() {
        return paid -> scaled(paid, (double) paid.paidSteps().episodes() / paid.size());
    }

    private static double[] scaled(PaidBatch paid, double factor) {
        return Arrays.stream(paid.points().weights())
                .map(weight -> factor * weight)
                .toArray();
    }
}
