package dev.pgkq.rewards.ledger;

import dev.pgkq.rewards.database.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;

/** Reads a ledger on a connection of its own, as it is at one moment, and changes nothing. */
final class LedgerReader {
    private LedgerReader() {}

    static void read(Database database, Consumer<LedgerEntry> reader) {
        try (Connection connection = database.connectToRead()) {
            // PostgreSQL sends rows a few at a time only within a transaction.
            connection.setAutoCommit(false);
            Tables.CURRENT.requireUpToDate(connection, database);
            Evaluations.read(connection, database.now(), reader);
            connection.rollback();
        } catch (SQLException e) {
            throw database.trouble("read", e);
        }
    }
}
