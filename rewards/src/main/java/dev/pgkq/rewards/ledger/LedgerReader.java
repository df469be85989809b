package dev.pgkq.rewards.ledger;

import dev.pgkq.rewards.database.Database;
import dev.pgkq.text.Durations;
import dev.pgkq.text.UserException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Consumer;

/**
 * Reads a consistent snapshot of a ledger on a separate connection, without changing it. The file may come from anybody, so only
 * real tables are read, and only for a limited time: a view of the same name could have rows without end.
 */
final class LedgerReader {
    /** Enough for millions of entries. */
    static final Duration LIMIT = Duration.ofMinutes(1);

    /** For a ledger that a run uses. */
    static final Duration OWN_LIMIT = Duration.ofHours(1);

    private LedgerReader() {}

    static void read(Database database, Consumer<LedgerEntry> reader) {
        read(database, LIMIT, reader);
    }

    static void read(Database database, Duration limit, Consumer<LedgerEntry> reader) {
        read(
                database,
                limit,
                (connection, limited) -> EvaluationTable.read(connection, database.now(), limited),
                reader);
    }

    /** Reads the entries of some evaluations. */
    static void read(Database database, Collection<LedgerKey> keys, Consumer<LedgerEntry> reader) {
        read(
                database,
                LIMIT,
                (connection, limited) -> EvaluationTable.read(connection, database.now(), keys, limited),
                reader);
    }

    /** Passes entries on. */
    @FunctionalInterface
    private interface Query {
        void of(Connection connection, Consumer<LedgerEntry> reader) throws SQLException;
    }

    private static void read(Database database, Duration limit, Query query, Consumer<LedgerEntry> reader) {
        long start = System.nanoTime();
        try (Connection connection = database.connectToRead(limit)) {
            // PostgreSQL streams rows only within a transaction.
            connection.setAutoCommit(false);
            LedgerTables.CURRENT.requireReadable(connection, database, LedgerTables.OLDEST_READABLE);
            requireTable(connection, database);
            query.of(connection, entry -> {
                if (System.nanoTime() - start > limit.toNanos()) {
                    throw new UserException("reading the ledger " + database.name() + " takes longer than "
                            + Durations.format(limit) + "; its contents are unchanged");
                }
                reader.accept(entry);
            });
            connection.rollback();
        } catch (SQLException e) {
            throw database.error("read", e);
        }
    }

    private static void requireTable(Connection connection, Database database) throws SQLException {
        try (PreparedStatement tables = connection.prepareStatement(database.countTablesQuery())) {
            tables.setString(1, EvaluationTable.NAME);
            try (ResultSet rows = tables.executeQuery()) {
                rows.next();
                if (rows.getInt(1) == 0) {
                    throw new UserException(database.name() + " is another kind of database, not a ledger: "
                            + EvaluationTable.NAME + " is not a table");
                }
            }
        }
    }
}
