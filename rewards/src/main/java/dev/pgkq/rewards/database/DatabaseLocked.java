package dev.pgkq.rewards.database;

import dev.pgkq.text.UserException;

/** Another process keeps the database locked. Nothing was recorded, and another attempt may succeed. */
public final class DatabaseLocked extends UserException {
    private static final long serialVersionUID = 1L;

    DatabaseLocked(String message, Throwable cause) {
        super(message, cause);
    }
}
