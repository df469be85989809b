package dev.pgkq.rewards.oracle;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** An evaluation failed. The message states what went wrong, where, and what to do. */
public final class EvaluationException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final @Nullable Duration retryAfter;

    /** What is known about the call. */
    private final Call call;

    private final boolean againstContract;

    /** What the call cost; NaN if that is not known. */
    private final double cost;

    private enum Kind {
        TEMPORARY,
        PERMANENT,
        LOST
    }

    /** What is known about the call that failed. */
    public enum Call {
        /** The oracle was not reached, or refused the call before doing anything: the call cost nothing. */
        NOT_MADE,
        /** The oracle was asked and failed. The call may have cost something. */
        FAILED,
        /** The oracle was asked, and whether it evaluated the episode is not known. */
        IN_DOUBT
    }

    private EvaluationException(
            String message,
            @Nullable Throwable cause,
            Kind kind,
            @Nullable Duration retryAfter,
            Call call,
            boolean againstContract,
            double cost) {
        super(message, cause);
        this.kind = kind;
        this.retryAfter = retryAfter;
        this.call = call;
        this.againstContract = againstContract;
        this.cost = cost;
    }

    private static EvaluationException of(String message, @Nullable Throwable cause, Kind kind) {
        return new EvaluationException(message, cause, kind, null, Call.FAILED, false, Double.NaN);
    }

    /** A failure after which another attempt may succeed. */
    public static EvaluationException temporary(String message) {
        return of(message, null, Kind.TEMPORARY);
    }

    /** A failure after which another attempt may succeed. */
    public static EvaluationException temporary(String message, Throwable cause) {
        return of(message, cause, Kind.TEMPORARY);
    }

    /** A failure after which another attempt may succeed, but not before this time has passed. */
    public static EvaluationException temporary(String message, Duration retryAfter) {
        return new EvaluationException(message, null, Kind.TEMPORARY, retryAfter, Call.FAILED, false, Double.NaN);
    }

    /**
     * The machine that asked was lost, and the call is in doubt. This is not a failure of the oracle, and does not count as one of
     * its attempts.
     */
    public static EvaluationException lost(String message) {
        return new EvaluationException(message, null, Kind.LOST, null, Call.IN_DOUBT, false, Double.NaN);
    }

    /** A failure that another attempt cannot fix. */
    public static EvaluationException permanent(String message) {
        return of(message, null, Kind.PERMANENT);
    }

    /** A failure that another attempt cannot fix. */
    public static EvaluationException permanent(String message, Throwable cause) {
        return of(message, cause, Kind.PERMANENT);
    }

    /** The same failure with another message. */
    public EvaluationException withMessage(String other) {
        return new EvaluationException(other, this, kind, retryAfter, call, againstContract, cost);
    }

    /** The same failure of another call. */
    public EvaluationException with(Call other) {
        return new EvaluationException(getMessage(), this, kind, retryAfter, other, againstContract, cost);
    }

    /** The same failure, with what the oracle says that the call cost, if it says so. */
    public EvaluationException withCost(OptionalDouble stated) {
        return new EvaluationException(
                getMessage(), this, kind, retryAfter, call, againstContract, stated.orElse(cost));
    }

    /**
     * The same failure, as one of an oracle that does not do what is agreed: its answer is invalid, or it ends without one. From an
     * oracle that has never given a good answer, another attempt would be the same.
     */
    public EvaluationException againstContract() {
        return new EvaluationException(getMessage(), this, kind, retryAfter, call, true, cost);
    }

    /** The same failure, after which no further attempt is made. */
    public EvaluationException givenUp(String message) {
        return new EvaluationException(message, this, Kind.PERMANENT, null, call, againstContract, cost);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    /** Whether another attempt may succeed. */
    public boolean retryable() {
        return kind != Kind.PERMANENT;
    }

    /** Whether the oracle is not to blame. */
    public boolean isLost() {
        return kind == Kind.LOST;
    }

    /** What is known about the call. */
    public Call call() {
        return call;
    }

    /** Whether the oracle does not do what is agreed; see {@link #againstContract()}. */
    public boolean isAgainstContract() {
        return againstContract;
    }

    /** What the call cost, if the oracle stated it. */
    public OptionalDouble cost() {
        return Double.isNaN(cost) ? OptionalDouble.empty() : OptionalDouble.of(cost);
    }

    /** How long to wait before the next attempt, if the oracle stated it. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
