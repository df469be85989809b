package dev.pgkq.rewards.database;

import java.sql.Connection;
import java.util.Optional;

/** Notices when a database is deleted or replaced while a session uses it. Not thread-safe. */
public interface DatabaseGuard {
    /** For databases on a server, which nobody can replace behind its back. */
    DatabaseGuard NONE = new DatabaseGuard() {
        @Override
        public Optional<String> change() {
            return Optional.empty();
        }

        @Override
        public void used(Connection connection) {}

        @Override
        public void disconnected() {}

        @Override
        public String rescue(Optional<Connection> connection) {
            return "";
        }
    };

    /** What happened to the database, such as "was deleted"; empty if it is the one that was opened. */
    Optional<String> change();

    /** The session has done some work, which may have recorded something. */
    void used(Connection connection);

    /** The session has closed its connection, which may have changed files. */
    void disconnected();

    /**
     * Saves what the connection can still read of a database that has changed.
     *
     * @param connection the connection, in no transaction; empty if there is none any more
     * @return what was saved, and how to go on
     */
    String rescue(Optional<Connection> connection);
}
