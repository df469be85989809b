package dev.pgkq.rewards.ledger;

import dev.pgkq.rewards.database.Database;
import dev.pgkq.text.UserException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.Consumer;

/** Reads a consistent snapshot of a ledger on a separate connection, without changing it. */
final class LedgerReader {
    private static final String TABLE = "pgkq_evaluation";

    private LedgerReader() {}

    static void read(Database database, Consumer<LedgerEntry> reader) {
        try (Connection connection = database.connectToRead()) {
            // PostgreSQL streams rows only within a transaction.
            connection.setAutoCommit(false);
            LedgerTables.CURRENT.requireUpToDate(connection, database);
            requireTable(connection, database);
            EvaluationTable.read(connection, database.now(), reader);
            connection.rollback();
        } catch (SQLException e) {
            throw database.error("read", e);
        }
    }

    /** A ledger may come from others. A view in place of the table could have rows without end. */
    private static void requireTable(Connection connection, Database database) throws SQLException {
        try (PreparedStatement tables = connection.prepareStatement(database.countTablesQuery())) {
            tables.setString(1, TABLE);
            try (ResultSet rows = tables.executeQuery()) {
                if (!rows.next() || rows.getInt(1) == 0) {
                    throw new UserException(database.name() + " is another kind of database, not a ledger: " + TABLE
                            + " is not a table");
                }
            }
        }
    }
}
