package dev.pgkq.train;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.gradient.AdvantageBatch;
import dev.pgkq.model.Learner;
import dev.pgkq.nn.RegressionTargets;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.select.Selection;

/** Observes the stages of an iteration. It must not change anything; training does not depend on it. */
public interface Observer {
    /**
     * Episodes have been sampled and chosen, and none has been paid for yet.
     *
     * @param iteration 1, 2, …
     * @param batch all episodes of the iteration
     * @param selection the episodes to pay for
     */
    void chosen(int iteration, EpisodeBatch batch, Selection selection);

    /**
     * Rewards have arrived.
     *
     * @param iteration 1, 2, …
     * @param paid the batch with the paid rewards
     * @param learner the learner, before it learns from these rewards
     */
    void paid(int iteration, PaidBatch paid, Learner learner);

    /**
     * Advantages have been estimated, and the policy is about to learn from them.
     *
     * @param iteration 1, 2, …
     * @param samples the weighted samples of the policy step
     */
    default void estimated(int iteration, AdvantageBatch samples) {}

    /**
     * The targets of the baseline are known, and it is about to be fitted to them.
     *
     * @param iteration 1, 2, …
     * @param targets inputs, values and weights
     */
    default void fitting(int iteration, RegressionTargets targets) {}

    /**
     * The iteration is complete.
     *
     * @param report its results
     * @param monitored the monitored return of every episode, which nothing learns from
     */
    void finished(IterationReport report, double[] monitored);

    /** {@return an observer that does nothing} */
    static Observer none() {
        return new Observer() {
            @Override
            public void chosen(int iteration, EpisodeBatch batch, Selection selection) {
                // nothing
            }

            @Override
            public void paid(int iteration, PaidBatch paid, Learner learner) {
                // nothing
            }

            @Override
            public void finished(IterationReport report, double[] monitored) {
                // nothing
            }
        };
    }
}
