package dev.pgkq.text;

/**
 * A problem that a person can fix: a mistyped name, a missing library, a full disk. The message says what is wrong, where,
 * and what to do; programs show it without a stack trace. Subclasses name the problems that a caller may want to handle.
 */
public class UserException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with a message for people. */
    public UserException(String message) {
        super(message);
    }

    /** Creates an exception with a message for people and its cause. */
    public UserException(String message, Throwable cause) {
        super(message, cause);
    }
}
