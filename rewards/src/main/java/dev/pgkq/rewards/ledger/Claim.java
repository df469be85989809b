package dev.pgkq.rewards.ledger;

import dev.pgkq.rewards.request.Reply;
import java.time.Instant;

/** The result of {@link Ledger#claim}. */
public sealed interface Claim {
    /** The evaluation has been paid for; this is its answer. */
    record Done(Reply answer) implements Claim {}

    /** The evaluation was given up. {@link Ledger#askAgain} allows further attempts. */
    record Failed(String reason) implements Claim {}

    /**
     * The evaluation belongs to the caller, and to nobody else as long as the lease is renewed.
     *
     * @param attempts number of attempts so far, counted from the last {@link Ledger#askAgain}
     * @param inDoubt number of attempts whose outcome is unknown: the oracle may already have the answer
     */
    record Mine(int attempts, int inDoubt) implements Claim {}

    /**
     * Another owner has claimed the evaluation; try again later.
     *
     * @param owner description of the owner
     * @param leaseUntil when the claim expires unless it is renewed
     */
    record Elsewhere(String owner, Instant leaseUntil) implements Claim {}
}
