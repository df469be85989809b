package dev.pgkq.env;

import dev.pgkq.text.UserException;

/** The task providers on the class path cannot be used: one fails to load, or two tasks have the same name. */
public final class TaskProviderException extends UserException {
    private static final long serialVersionUID = 1L;

    TaskProviderException(String message) {
        super(message);
    }

    TaskProviderException(String message, Throwable cause) {
        super(message, cause);
    }
}
