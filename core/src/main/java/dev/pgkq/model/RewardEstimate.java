package dev.pgkq.model;

import dev.pgkq.purchase.PaidBatch;

/** Estimates the rewards of a whole batch, of which some were paid for. */
@FunctionalInterface
public interface RewardEstimate {
    /**
     * Estimates rewards.
     *
     * @param paid the batch and its paid rewards
     * @return the reward of every step of all N episodes, in the order of the batch
     */
    double[] of(PaidBatch paid);
}
