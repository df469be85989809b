package dev.pgkq.rewards.oracle;

import dev.pgkq.rewards.request.Request;
import java.time.Duration;
import java.util.Optional;

/** Is told of every attempt, by the thread that makes it; several may do so at once. */
public interface AttemptListener {
    /** Hears nothing. */
    AttemptListener NONE = new AttemptListener() {};

    /** An attempt is about to be made and may cost something from now on. It is not made if this throws. */
    default void onAttempt(Request request) {}

    /** An attempt was answered; those that wait for their turn have not begun yet. */
    default void onAnswer(Request request, Reply answer) {}

    /**
     * An attempt failed.
     *
     * @param nextIn the pause before the next; empty if there is none
     */
    default void onFailure(Request request, EvaluationException failure, Optional<Duration> nextIn) {}
}
