package dev.pgkq.train;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.model.Learner;
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
