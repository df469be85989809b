package dev.pgkq.text;

/**
 * An error that the user can fix: a mistyped name, a missing library, a full disk. The message says what is wrong,
 * where, and what to do; it is shown as it is, without a stack trace.
 */
public class UserException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an error.
     *
     * @param message what is wrong, where, and what to do
     */
    public UserException(String message) {
        super(message);
    }

    /**
     * Creates an error with its cause.
     *
     * @param message what is wrong, where, and what to do
     * @param cause for developers
     */
    public UserException(String message, Throwable cause) {
        super(message, cause);
    }
}
