package dev.pgkq.rewards.ledger;

import java.time.Instant;

/** What the ledger says to somebody who wants an evaluation. */
public sealed interface Claim {
    /** It has been paid for: here is the answer. */
    record Done(LedgerAnswer answer) implements Claim {}

    /** It was given up; {@link Ledger#askAgain} allows another try. */
    record Failed(String reason) implements Claim {}

    /**
     * It is the caller's to evaluate, and nobody else's while its lease is renewed.
     *
     * @param attempts how often the oracle was asked before, since it was last allowed to be asked again
     * @param inDoubt how often nobody knows what became of an attempt: the oracle may know the answer already
     */
    record Mine(int attempts, int inDoubt) implements Claim {}

    /**
     * Somebody else has it in hand: ask again later.
     *
     * @param owner who, in words
     * @param leaseUntil when it is free to take, unless it is renewed
     */
    record Elsewhere(String owner, Instant leaseUntil) implements Claim {}
}
