package dev.pgkq.train;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.model.Learner;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.select.Selection;

/** Looks on while an iteration goes through its stages. It changes nothing, and training does not depend on it. */
public interface Observer {
    /** The episodes are sampled and some are chosen; none is paid for yet. */
    void chosen(int iteration, EpisodeBatch batch, Selection wanted);

    /**
     * Rewards have come.
     *
     * @param learner has not learned from them yet
     */
    void paid(int iteration, PaidBatch paid, Learner learner);

    /**
     * The iteration is over.
     *
     * @param monitored returns of the whole batch, which nothing learns from
     */
    void finished(IterationReport report, double[] monitored);

    /** Nobody looks on. */
    static Observer none() {
        return new Observer() {
            @Override
            public void chosen(int iteration, EpisodeBatch batch, Selection wanted) {
                // nobody
            }

            @Override
            public void paid(int iteration, PaidBatch paid, Learner learner) {
                // nobody
            }

            @Override
            public void finished(IterationReport report, double[] monitored) {
                // nobody
            }
        };
    }
}
