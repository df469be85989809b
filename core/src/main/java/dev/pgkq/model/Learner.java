package dev.pgkq.model;

import dev.pgkq.nn.Regression;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.state.Snapshot;
import java.util.Map;
import java.util.Optional;

/** Learns from paid rewards, before the policy step or after it. */
public interface Learner {
    /**
     * Follows the unit of an iteration's rewards, before anything is estimated or learned from them.
     *
     * @param paid the batch and its paid rewards
     */
    default void follow(PaidBatch paid) {}

    /**
     * Learns from the rewards of an iteration.
     *
     * @param paid the batch and its paid rewards
     * @param baseline V, as it is now
     * @param iteration from 1
     * @return statistics of what was learned
     */
    Lesson learn(PaidBatch paid, Regression baseline, int iteration);

    /**
     * Predicts the undiscounted sum of rewards of each episode of a batch.
     *
     * @param batch the episodes
     * @return one sum per episode; empty where the learner does not model rewards
     */
    default Optional<double[]> expect(PaidBatch batch) {
        return Optional.empty();
    }

    /** {@return what it has learned, by name, for the trainer to check} */
    Map<String, float[]> parameters();

    /**
     * Adds what it has learned to a checkpoint.
     *
     * @param into the checkpoint
     */
    void save(Snapshot.Builder into);

    /**
     * Restores what {@link #save} saved.
     *
     * @param saved the checkpoint
     */
    void restore(Snapshot saved);

    /**
     * Statistics of what was learned; NaN where a learner has no such part.
     *
     * @param meanError root of the weighted mean square error of the reward model on the newly paid rewards, before it
     *     learned from them
     * @param logLikelihood of the kernel, per point
     * @param scale λ of the kernel
     * @param noise σ of the kernel
     * @param skipped minibatches that the kernel could not use
     */
    record Lesson(double meanError, double logLikelihood, double scale, double noise, int skipped) {
        /** Nothing was learned. */
        public static final Lesson NONE = new Lesson(Double.NaN, Double.NaN, Double.NaN, Double.NaN, 0);
    }

    /** {@return a learner that learns nothing} */
    static Learner none() {
        return new Learner() {
            @Override
            public Lesson learn(PaidBatch paid, Regression baseline, int iteration) {
                return Lesson.NONE;
            }

            @Override
            public Map<String, float[]> parameters() {
                return Map.of();
            }

            @Override
            public void save(Snapshot.Builder into) {
                // no state
            }

            @Override
            public void restore(Snapshot saved) {
                // no state
            }
        };
    }
}
