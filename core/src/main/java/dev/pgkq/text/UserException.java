package dev.pgkq.text;

/**
 * Something a person can put right: a mistyped name, a missing library, a full disk. The message says what was wrong,
 * where, and what to do; it is shown as it is, without a stack trace.
 */
public class UserException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UserException(String message) {
        super(message);
    }

    public UserException(String message, Throwable cause) {
        super(message, cause);
    }
}
