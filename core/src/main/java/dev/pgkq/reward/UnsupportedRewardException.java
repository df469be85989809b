package dev.pgkq.reward;

import dev.pgkq.env.Task;
import dev.pgkq.text.UserException;

/** A task does not support a reward because it has no {@link dev.pgkq.env.Yardstick}. */
public final class UnsupportedRewardException extends UserException {
    private static final long serialVersionUID = 1L;

    UnsupportedRewardException(Task task) {
        super("the task " + task.id()
                + " supports its builtin reward only, because it has no yardstick for good steps and"
                + " returns; give the Task a Yardstick to use the other rewards");
    }
}
