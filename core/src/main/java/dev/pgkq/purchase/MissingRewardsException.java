package dev.pgkq.purchase;

import dev.pgkq.text.UserException;

/**
 * Too many rewards of an iteration did not arrive. The iteration had no effect yet, so training can continue from the state
 * before it.
 */
public final class MissingRewardsException extends UserException {
    private static final long serialVersionUID = 1L;

    /** The iteration that failed. */
    private final int iteration;
    /** Number of rewards that arrived. */
    private final int received;
    /** Number of rewards that were requested, without replacements. */
    private final int requested;
    /** The batch with the rewards that arrived. */
    private final transient PaidBatch arrived;

    MissingRewardsException(int iteration, PaidBatch arrived, int requested, String why, String firstFailure) {
        super(arrived.points().size() + " of " + requested + " rewards of iteration " + iteration + " arrived, " + why
                + ". " + firstFailure);
        this.iteration = iteration;
        this.received = arrived.points().size();
        this.requested = requested;
        this.arrived = arrived;
    }

    /** {@return the batch with the rewards that arrived, for an algorithm that can do with fewer} */
    public PaidBatch arrived() {
        return arrived;
    }

    /** {@return the iteration that failed, from 1} */
    public int iteration() {
        return iteration;
    }

    /** {@return how many rewards arrived, including those of replacements} */
    public int received() {
        return received;
    }

    /** {@return how many rewards were requested, without replacements} */
    public int requested() {
        return requested;
    }
}
