package dev.pgkq.policy;

import dev.pgkq.text.UserException;

/** The scores of all steps do not fit into an array. Projecting them to fewer dimensions helps. */
public final class ScoresTooLargeException extends UserException {
    private static final long serialVersionUID = 1L;

    ScoresTooLargeException(int steps, int values) {
        super(steps + " steps with scores of " + values
                + " values do not fit into an array; project the scores to fewer dimensions, for example 32");
    }
}
