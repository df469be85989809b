package dev.pgkq.rewards.oracle;

import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Evaluates the reward of single episodes: a program, a service, a class, a folder or people. Implementations are thread-safe.
 * {@link #evaluate} blocks until there is an answer; an interrupt cancels the evaluation.
 *
 * <p>{@link Evaluators} opens the evaluators of this package. An application may implement its own.
 */
public interface Evaluator extends AutoCloseable {
    /**
     * The identity of the evaluator, such as {@code exec:python3 score.py}. It appears in messages, and is part of the key under
     * which answers are stored, so evaluators that may answer differently need different identities. It contains no secrets. It
     * names a program but not its contents, which {@link #contents} describes.
     */
    String identity();

    /**
     * What answers depend on besides the identity, by name: a hash of the script that a command names, for instance. If it
     * changes, answers that were stored before are not used without the user's consent. Empty if nothing is known.
     */
    default Map<String, String> contents() {
        return Map.of();
    }

    /** Whether answers have a reward for every step or one number per episode; empty if that is not known beforehand. */
    default Optional<Grain> grain() {
        return Optional.empty();
    }

    /** What a right answer looks like, in the words of those who write the evaluator, for an episode with this number of steps. */
    default String rightAnswer(int length) {
        return AnswerReader.example(length);
    }

    /** Possible mistakes in how it was specified. Certain mistakes are rejected when it is opened. */
    default List<String> warnings() {
        return List.of();
    }

    /** Announces all requests that will be made next, for evaluators that handle them together. */
    default void expect(List<Request> requests) {}

    /**
     * Whether requests have to be made together, as where people compare episodes. Otherwise an evaluator that has not answered yet
     * is asked for one episode first.
     */
    default boolean needsAllAtOnce() {
        return false;
    }

    /** A description of what is pending, if the evaluator knows more than how long its requests take. */
    default Optional<String> waitingFor() {
        return Optional.empty();
    }

    /**
     * Makes one attempt to evaluate an episode. An answer with a reward for every step has as many rewards as the episode has
     * steps; any other number counts as a failed attempt.
     *
     * @throws EvaluationException if there is no valid answer
     * @throws InterruptedException if the attempt was cancelled; nothing is left running
     */
    Reply evaluate(Request request) throws EvaluationException, InterruptedException;

    /** Cancels all attempts under way. */
    @Override
    void close();
}
