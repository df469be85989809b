package dev.pgkq.rewards.oracle;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** There is no answer. The message says what went wrong, where, and what to do. */
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

    /** Trying again may help. */
    public static EvaluationException passing(String message) {
        return new EvaluationException(message, true, false, null, null);
    }

    /** Trying again may help. */
    public static EvaluationException passing(String message, Throwable cause) {
        return new EvaluationException(message, true, false, null, cause);
    }

    /** Trying again may help, but not before this time has passed. */
    public static EvaluationException passing(String message, Duration retryAfter) {
        return new EvaluationException(message, true, false, retryAfter, null);
    }

    /** Who asked is gone, and the oracle has done nothing wrong: that is not held against it. */
    public static EvaluationException lost(String message) {
        return new EvaluationException(message, true, true, null, null);
    }

    /** Trying again will not help: somebody has to do something first. */
    public static EvaluationException lasting(String message) {
        return new EvaluationException(message, false, false, null, null);
    }

    /** Trying again will not help: somebody has to do something first. */
    public static EvaluationException lasting(String message, Throwable cause) {
        return new EvaluationException(message, false, false, null, cause);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    /** Whether trying again may help. */
    public boolean retryable() {
        return retryable;
    }

    /** Whether it says nothing of the oracle. */
    public boolean isLost() {
        return lost;
    }

    /** How long to wait before that, if it was said. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
