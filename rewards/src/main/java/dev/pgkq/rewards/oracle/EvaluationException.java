package dev.pgkq.rewards.oracle;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An evaluation failed. The message states what went wrong, where, and what to do. */
public final class EvaluationException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean retryable;
    private final boolean lost;
    private final @Nullable Duration retryAfter;

    private EvaluationException(
            String message, boolean retryable, boolean lost, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        super(message, cause);
        this.retryable = retryable;
        this.lost = lost;
        this.retryAfter = retryAfter;
    }

    /** A failure after which another attempt may succeed. */
    public static EvaluationException temporary(String message) {
        return new EvaluationException(message, true, false, null, null);
    }

    /** A failure after which another attempt may succeed. */
    public static EvaluationException temporary(String message, Throwable cause) {
        return new EvaluationException(message, true, false, null, cause);
    }

    /** A failure after which another attempt may succeed, but not before this time has passed. */
    public static EvaluationException temporary(String message, Duration retryAfter) {
        return new EvaluationException(message, true, false, retryAfter, null);
    }

    /** The machine that asked was lost. This is not a failure of the oracle, and does not count as one of its attempts. */
    public static EvaluationException lost(String message) {
        return new EvaluationException(message, true, true, null, null);
    }

    /** A failure that another attempt cannot fix. */
    public static EvaluationException permanent(String message) {
        return new EvaluationException(message, false, false, null, null);
    }

    /** A failure that another attempt cannot fix. */
    public static EvaluationException permanent(String message, Throwable cause) {
        return new EvaluationException(message, false, false, null, cause);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    /** Whether another attempt may succeed. */
    public boolean retryable() {
        return retryable;
    }

    /** Whether the oracle is not to blame. */
    public boolean isLost() {
        return lost;
    }

    /** How long to wait before the next attempt, if the oracle stated it. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
