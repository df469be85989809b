package dev.pgkq.model;

import dev.pgkq.nn.Regression;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.state.Snapshot;
import java.util.Map;
import java.util.Optional;

/** Learns from the rewards that were paid for: after the policy step for the next iteration, or already before it. */
public interface Learner {
    /** @param baseline V, as it is */
    Lesson learn(PaidBatch paid, Regression baseline, int iteration);

    /** The sum of the rewards that it expects of each episode of a batch, undiscounted; empty where it has no idea of rewards. */
    default Optional<double[]> expect(PaidBatch batch) {
        return Optional.empty();
    }

    /** What it has learned, by name, to be watched over. */
    Map<String, float[]> parameters();

    void save(Snapshot.Builder into);

    void restore(Snapshot saved);

    /**
     * What was learned; NaN stands for what a learner does not have.
     *
     * @param meanError root of the weighted mean square error of the reward model on the newly paid rewards, before it
     *     learned from them
     * @param logLikelihood of the kernel, per point
     * @param scale λ of the kernel
     * @param noise σ of the kernel
     * @param skipped minibatches that the kernel could not use
     */
    record Lesson(double meanError, double logLikelihood, double scale, double noise, int skipped) {
        public static final Lesson NONE = new Lesson(Double.NaN, Double.NaN, Double.NaN, Double.NaN, 0);
    }

    /** Learns nothing. */
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
                // nothing to keep
            }

            @Override
            public void restore(Snapshot saved) {
                // nothing to bring back
            }
        };
    }
}
