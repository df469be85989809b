package dev.pgkq.rewards.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything the ledger stores about an evaluation, except the rewards themselves.
 *
 * @param id the evaluation, with the run that requested it first
 * @param state its state
 * @param attempts number of times the oracle was asked
 * @param inDoubt number of attempts whose outcome is unknown
 * @param reused number of times the answer was used without paying again
 * @param requested when it was first requested
 * @param started when the last attempt started; null if there was none
 * @param finished when it was answered or given up; null if it is open
 * @param owner description of the current owner; empty if nobody holds a valid claim
 * @param leaseUntil when the claim expires; null if there is none
 * @param answered summary of the answer; null if there is none
 * @param unanswered the calls that count although they were not answered, with the one under way
 * @param error why the most recent failed attempt failed; empty if none failed
 */
public record LedgerEntry(
        EvaluationId id,
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
        Unanswered unanswered,
        String error) {

    /**
     * Summary of an answer.
     *
     * @param total sum of its rewards; NaN if it is damaged
     * @param cost its cost; 0 if it is damaged
     * @param damaged whether the stored values are not the recorded ones
     */
    public record Answered(double total, double cost, boolean damaged) {}

    /**
     * Calls without an answer that may have been paid for.
     *
     * @param calls their number
     * @param cost what they cost
     */
    public record Unanswered(int calls, double cost) {
        /** No such calls. */
        public static final Unanswered NONE = new Unanswered(0, 0);
    }

    /** Whether an attempt is under way whose owner is gone. */
    public boolean isInDoubt() {
        return state == State.RUNNING && owner.isEmpty();
    }

    /** Whether it was requested but never attempted, for instance because the budget did not suffice. */
    public boolean isNotBought() {
        return state == State.REQUESTED && attempts == 0 && owner.isEmpty();
    }

    /** The cost of the answer; 0 if there is none. */
    public double cost() {
        return answered == null ? 0 : answered.cost();
    }

    /** The time from the start of the last attempt to the answer; empty without an answer. */
    public Optional<Duration> took() {
        return answered == null || started == null || finished == null
                ? Optional.empty()
                : Optional.of(Duration.between(started, finished));
    }
}
