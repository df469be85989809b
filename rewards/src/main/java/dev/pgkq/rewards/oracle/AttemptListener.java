package dev.pgkq.rewards.oracle;

import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import java.time.Duration;
import java.util.Optional;

/** Informed of every attempt, by the thread that makes it. Several threads may call it at once. */
public interface AttemptListener {
    /** Ignores all attempts. */
    AttemptListener NONE = new AttemptListener() {};

    /** An attempt is about to be made, and may cost something from now on. If this throws, it is not made. */
    default void onAttempt(Request request) {}

    /** An attempt was answered. Attempts waiting for their turn have not started yet. */
    default void onAnswer(Request request, Reply answer) {}

    /**
     * An attempt failed.
     *
     * @param nextIn pause before the next attempt; empty if there is none
     * @return the same, or empty if there should be no further attempt
     */
    default Optional<Duration> onFailure(Request request, EvaluationException failure, Optional<Duration> nextIn) {
        return nextIn;
    }
}
