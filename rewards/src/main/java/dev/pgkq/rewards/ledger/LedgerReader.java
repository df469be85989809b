package dev.pgkq.rewards.ledger;

import dev.pgkq.rewards.database.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;

/** Reads a consistent snapshot of a ledger on a separate connection, without changing it. */
final class LedgerReader {
    private LedgerReader() {}

    static void read(Database database, Consumer<LedgerEntry> reader) {
        try (Connection connection = database.connectToRead()) {
            // PostgreSQL streams rows only within a transaction.
            connection.setAutoCommit(false);
            LedgerTables.CURRENT.requireUpToDate(connection, database);
            EvaluationTable.read(connection, database.now(), reader);
            connection.rollback();
        } catch (SQLException e) {
            throw database.error("read", e);
        }
    }
}
