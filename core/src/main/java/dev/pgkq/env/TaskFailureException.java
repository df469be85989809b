package dev.pgkq.env;

import dev.pgkq.text.UserException;

/**
 * A task broke the rules of {@link Environment}: it threw an exception, or it produced an observation or reward that is not
 * finite. {@link EnvironmentChecker} looks for the cause.
 */
public final class TaskFailureException extends UserException {
    private static final long serialVersionUID = 1L;

    /** The name of the task. */
    private final String taskId;

    /**
     * Creates an exception for a value that breaks the rules.
     *
     * @param task the task that broke the rules
     * @param message what is wrong, where, and what to do
     */
    public TaskFailureException(Task task, String message) {
        super(message);
        this.taskId = task.id();
    }

    /**
     * Creates an exception for what the task threw.
     *
     * @param task the task that broke the rules
     * @param message what is wrong, where, and what to do
     * @param cause what the task threw
     */
    public TaskFailureException(Task task, String message, Throwable cause) {
        super(message, cause);
        this.taskId = task.id();
    }

    /** {@return the name of the task} */
    public String taskId() {
        return taskId;
    }
}
