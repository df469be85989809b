package dev.pgkq.rewards.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger knows of an evaluation, without the rewards themselves.
 *
 * @param wanted who asked first for what
 * @param state how far it is
 * @param attempts how often the oracle was asked
 * @param inDoubt how often nobody knows what became of that
 * @param reused how often somebody got the answer without paying
 * @param requested when it was first asked for
 * @param started when the oracle was last asked; null if it never was
 * @param finished when it was answered or given up; null if it was not
 * @param owner who has it in hand, in words; empty if nobody, or if he is gone
 * @param leaseUntil until when; null if nobody has it
 * @param answered what the answer was; null if there is none
 * @param error why the last attempt that failed did; empty if none
 */
public record LedgerEntry(
        EvaluationId wanted,
        State state,
        int attempts,
        int inDoubt,
        int reused,
        Instant requested,
        @Nullable Instant started,
        @Nullable Instant finished,
        String owner,
        @Nullable Instant leaseUntil,
        @Nullable Answered answered,
        String error) {

    /**
     * An answer, summed up.
     *
     * @param total sum of its numbers; NaN if they are damaged
     * @param cost what it cost; 0 if it is damaged
     * @param damaged whether they are not those that were recorded
     */
    public record Answered(double total, double cost, boolean damaged) {}

    /** Whether the oracle was asked and nobody is there to hear the answer. */
    public boolean isInDoubt() {
        return state == State.RUNNING && owner.isEmpty();
    }

    /** Whether it was chosen and never asked for, as where a budget did not allow it. */
    public boolean isNotBought() {
        return state == State.REQUESTED && attempts == 0 && owner.isEmpty();
    }

    public double cost() {
        return answered == null ? 0 : answered.cost();
    }

    /** How long the oracle took from the last time it was asked; empty without an answer. */
    public Optional<Duration> took() {
        return answered == null || started == null || finished == null
                ? Optional.empty()
                : Optional.of(Duration.between(started, finished));
    }
}
