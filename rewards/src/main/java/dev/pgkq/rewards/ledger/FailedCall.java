package dev.pgkq.rewards.ledger;

import java.util.OptionalDouble;

/**
 * A call of the oracle that gave no answer.
 *
 * @param error why there is none
 * @param cost what the call cost; empty if it was free, so that it does not count
 * @param inDoubt whether the oracle may have evaluated the episode nevertheless
 */
public record FailedCall(String error, OptionalDouble cost, boolean inDoubt) {
    /** A call that counts, without a cost. */
    public static FailedCall of(String error) {
        return new FailedCall(error, OptionalDouble.of(0), false);
    }

    /** Whether the call counts against a limit of evaluations. */
    public boolean counts() {
        return cost.isPresent();
    }
}
