package dev.pgkq.app.command;

import dev.pgkq.text.UserException;

/** A run that had begun failed for a reason that its user can fix, and can be continued then. */
public final class StoppedRunException extends UserException {
    private static final long serialVersionUID = 1L;

    private final UserException problem;
    private final String resume;

    StoppedRunException(UserException problem, String resume) {
        super(String.valueOf(problem.getMessage()), problem);
        this.problem = problem;
        this.resume = resume;
    }

    public UserException problem() {
        return problem;
    }

    /** The command line that continues the run. */
    public String resume() {
        return resume;
    }
}
