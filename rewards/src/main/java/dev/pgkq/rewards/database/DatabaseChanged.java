package dev.pgkq.rewards.database;

import dev.pgkq.text.UserException;

/**
 * Thrown if a database was deleted, replaced or truncated while it was in use. What was written to it may be lost, so nothing
 * more is written: every further use fails with the same message, which says how to go on.
 */
public final class DatabaseChanged extends UserException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an error.
     *
     * @param message what happened, what was saved, and how to go on
     */
    public DatabaseChanged(String message) {
        super(message);
    }
}
