package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.oracle.EvaluationException;
import dev.pgkq.text.UserException;

/**
 * An evaluator that has not given a good answer in this run does not do what is agreed. Another call would fail in the same way, so
 * none was made. The message shows what came and what a right answer looks like.
 */
public final class FirstAnswerException extends UserException {
    private static final long serialVersionUID = 1L;

    /**
     * @param rightAnswer what a right answer would have been
     */
    FirstAnswerException(EvaluationException failure, String rightAnswer) {
        super(message(failure.getMessage(), rightAnswer), failure);
    }

    private static String message(String failure, String example) {
        return "the first call gave no usable answer, and no other was made: " + failure
                + (failure.contains(example) ? "" : ". A right answer would be " + example);
    }
}
