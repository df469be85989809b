package dev.pgkq.env;

import dev.pgkq.text.UserException;

/**
 * A task broke the rules of {@link Environment}: it threw an exception, or it produced an observation or reward that is not
 * finite. {@link EnvironmentChecker} looks for the cause.
 */
public final class TaskFailureException extends UserException {
    private static final long serialVersionUID = 1L;

    private final String taskId;

    /** Creates an exception for a value that breaks the rules. */
    public TaskFailureException(Task task, String message) {
        super(message);
        this.taskId = task.id();
    }

    /** Creates an exception for what the task threw. */
    public TaskFailureException(Task task, String message, Throwable cause) {
        super(message, cause);
        this.taskId = task.id();
    }

    /** Returns the name of the task. */
    public String taskId() {
        return taskId;
    }
}
