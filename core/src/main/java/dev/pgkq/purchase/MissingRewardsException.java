package dev.pgkq.purchase;

import dev.pgkq.text.UserException;

/**
 * Too many rewards of an iteration did not arrive. The iteration had no effect yet, so training can continue from the state
 * before it.
 */
public final class MissingRewardsException extends UserException {
    private static final long serialVersionUID = 1L;

    private final int iteration;
    private final int received;
    private final int requested;

    MissingRewardsException(int iteration, int received, int requested, String why, String firstFailure) {
        super(received + " of " + requested + " rewards of iteration " + iteration + " arrived, " + why + ". "
                + firstFailure);
        this.iteration = iteration;
        this.received = received;
        this.requested = requested;
    }

    /** Returns the iteration that failed. */
    public int iteration() {
        return iteration;
    }

    /** Returns how many rewards arrived. */
    public int received() {
        return received;
    }

    /** Returns how many rewards were requested, without replacements. */
    public int requested() {
        return requested;
    }
}
