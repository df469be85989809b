package dev.pgkq.rewards.oracle;

import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.request.Request;
import java.util.List;
import java.util.Optional;

/**
 * One way to get the reward of one episode. Used by many threads at once; blocks as long as it takes; an interrupt cancels
 * the evaluation under way.
 */
public interface Evaluator extends AutoCloseable {
    /**
     * What is asked, for people and as part of the key under which answers are remembered, such as
     * {@code exec:python3 score.py}. It holds no secrets. It names a program and not its contents: who changes the program
     * changes the answers, but not this.
     */
    String identity();

    /** What its answers tell of an episode, where that is known before one is asked for. */
    default Optional<Grain> grain() {
        return Optional.empty();
    }

    /** What may be a mistake in how it was called, for people; what certainly is one is refused when it is opened. */
    default List<String> warnings() {
        return List.of();
    }

    /** These are all that will be asked for next: for those who answer many together. */
    default void expect(List<Request> requests) {}

    /** What is being waited for, where the usual words say too little. */
    default Optional<String> waitingFor() {
        return Optional.empty();
    }

    /**
     * Asks once.
     *
     * @throws EvaluationException if there is no answer, or none that can be used
     * @throws InterruptedException if it was cancelled; nothing of it is left running
     */
    Reply evaluate(Request request) throws EvaluationException, InterruptedException;

    /** Cancels what is still under way. */
    @Override
    void close();
}
