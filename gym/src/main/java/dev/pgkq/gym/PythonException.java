package dev.pgkq.gym;

import dev.pgkq.text.UserException;

/** An environment in Python cannot be used, or failed. The message has Python's own last lines. */
public final class PythonException extends UserException {
    private static final long serialVersionUID = 1L;

    /** What kind of error it is. */
    private final Problem problem;

    /** What went wrong. */
    public enum Problem {
        /** Python itself cannot be started. */
        INTERPRETER,
        /** The environment cannot be made: its name, its packages, its spaces or its constructor. */
        ENVIRONMENT,
        /** The environment failed while it was stepped. */
        FAILURE,
        /** The environment took longer than is allowed. */
        TIMEOUT
    }

    PythonException(Problem problem, String message) {
        super(message);
        this.problem = problem;
    }

    PythonException(Problem problem, String message, Throwable cause) {
        super(message, cause);
        this.problem = problem;
    }

    /** {@return what went wrong} */
    public Problem problem() {
        return problem;
    }
}
