package dev.pgkq.rewards.desk;

import dev.pgkq.reward.Answer;
import dev.pgkq.text.UserException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Waits for answers that several threads obtain. */
final class AnswerFutures {
    private AnswerFutures() {}

    /**
     * Waits for an answer or its failure.
     *
     * @return the answer; empty if there is none because of an exception, which {@link #collect} throws
     */
    static Optional<Answer> await(Future<Answer> future) {
        try {
            return Optional.of(collect(List.of(future)).getFirst());
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    /**
     * Waits for all answers, also if one of them fails: the others are being paid for, and must be recorded.
     *
     * @throws UserException if this thread is interrupted; answers that are still to come are cancelled
     * @throws RuntimeException the first failure
     */
    static List<Answer> collect(Collection<Future<Answer>> futures) {
        List<Answer> answers = new ArrayList<>();
        Optional<RuntimeException> failure = Optional.empty();
        for (Future<Answer> future : futures) {
            try {
                answers.add(future.get());
            } catch (InterruptedException e) {
                futures.forEach(other -> other.cancel(true));
                Thread.currentThread().interrupt();
                throw new UserException("interrupted while rewards were pending; answers so far are recorded", e);
            } catch (ExecutionException e) {
                // Other attempts under way are being paid for: wait until they are recorded before failing.
                RuntimeException cause = e.getCause() instanceof RuntimeException unchecked
                        ? unchecked
                        : new IllegalStateException(e.getCause());
                failure = Optional.of(failure.orElse(cause));
            }
        }
        if (failure.isPresent()) {
            throw failure.get();
        }
        return answers;
    }
}
