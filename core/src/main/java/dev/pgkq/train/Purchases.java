package dev.pgkq.train;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.purchase.MissingRewardsException;
import dev.pgkq.purchase.OnFailure;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.purchase.Purchase;
import dev.pgkq.reward.RewardSource;
import dev.pgkq.select.Selection;
import dev.pgkq.state.Snapshot;
import java.util.Optional;

/**
 * Buys the rewards of each iteration. An algorithm that decides how many it needs goes on with those that arrived; not again and again,
 * because then the source is broken.
 */
final class Purchases {
    private static final String IN_A_ROW = "iterations_without_rewards";

    private final RewardSource rewards;
    private final TrainSettings settings;

    /** Iterations in a row that asked for rewards most of which did not arrive. */
    private int inARow;

    private Optional<String> unanswered = Optional.empty();

    Purchases(RewardSource rewards, TrainSettings settings) {
        this.rewards = rewards;
        this.settings = settings;
    }

    /**
     * Buys the rewards of a selection.
     *
     * @param knowsRewards whether any were paid for before
     * @throws MissingRewardsException if most do not arrive, and the algorithm cannot go on
     */
    PaidBatch buy(EpisodeBatch batch, Selection selection, int iteration, boolean knowsRewards) {
        OnFailure onFailure = settings.episodes().onFailure();
        unanswered = Optional.empty();
        try {
            PaidBatch paid = Purchase.buy(rewards, onFailure, settings.seed(), batch, selection, iteration);
            inARow = selection.points().size() > 0 ? 0 : inARow;
            return paid;
        } catch (MissingRewardsException e) {
            inARow++;
            boolean goesOn = settings.decidesHowMany()
                    && onFailure != OnFailure.STOP
                    && knowsRewards
                    && inARow < Trainer.MOST_UNANSWERED;
            if (!goesOn) {
                throw e;
            }
            unanswered = Optional.of(String.valueOf(e.getMessage()));
            return e.arrived();
        }
    }

    /** Why most rewards of the last iteration did not arrive; empty if they did. */
    Optional<String> unanswered() {
        return unanswered;
    }

    /** Only a count above 0 is saved. Stopping and resuming does not mend a broken source. */
    void save(Snapshot.Builder into) {
        if (inARow > 0) {
            into.counter(IN_A_ROW, inARow);
        }
    }

    void restore(Snapshot saved) {
        inARow = Math.toIntExact(saved.counters().getOrDefault(IN_A_ROW, 0L));
    }
}
