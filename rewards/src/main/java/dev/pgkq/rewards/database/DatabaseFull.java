package dev.pgkq.rewards.database;

import dev.pgkq.text.UserException;

/** There is no space for what was to be recorded. Nothing was, and what is recorded is safe. */
public final class DatabaseFull extends UserException {
    private static final long serialVersionUID = 1L;

    DatabaseFull(String message, Throwable cause) {
        super(message, cause);
    }
}
