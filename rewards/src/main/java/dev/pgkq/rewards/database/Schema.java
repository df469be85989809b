package dev.pgkq.rewards.database;

import dev.pgkq.text.UserException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The tables of a database, and the migration of older ones: the n-th list of statements turns version n − 1 into version n. A
 * database is migrated in one transaction, so that it has either the old or the new version, whatever happens. Lists are added
 * but never changed, because databases exist that were created with them.
 *
 * @param table name of the table with a row for every version the database has had; it identifies the kind of database
 * @param versions statements of versions 1, 2, …; {@code BYTES} stands for the database's type of byte arrays
 */
public record Schema(String table, List<List<String>> versions) {
    /** The current version. */
    public int newest() {
        return versions.size();
    }

    /** Creates the tables, or migrates older ones. */
    void migrate(Connection connection, Database database) throws SQLException {
        Session.inTransaction(connection, transaction -> {
            database.lockSchema(transaction);
            int version = version(transaction, database);
            requireKnown(version, database);
            try (Statement statement = transaction.createStatement()) {
                if (version == 0) {
                    statement.execute(
                            "CREATE TABLE " + table + " (version BIGINT NOT NULL PRIMARY KEY, since BIGINT NOT NULL)");
                }
                for (int next = version + 1; next <= newest(); next++) {
                    for (String sql : versions.get(next - 1)) {
                        statement.execute(sql.replace("BYTES", database.bytesType()));
                    }
                    statement.execute("INSERT INTO " + table + " VALUES (" + next + ", " + database.now() + ")");
                }
            }
            return null;
        });
    }

    /**
     * Checks that the tables can be read as they are.
     *
     * @param oldest the oldest version that can be
     */
    public void requireReadable(Connection connection, Database database, int oldest) throws SQLException {
        int version = version(connection, database);
        requireKnown(version, database);
        if (version == 0) {
            throw new UserException(
                    "there is no " + database.kind() + " in " + database.name() + ": no run has created one there");
        }
        if (version < oldest) {
            throw new UserException("the " + database.kind() + " " + database.name() + " has an older version, "
                    + version + " instead of " + newest()
                    + ". The next run that uses it updates it; reading does not");
        }
    }

    private void requireKnown(int version, Database database) {
        if (version > newest()) {
            throw new UserException("the " + database.kind() + " " + database.name()
                    + " was written by a newer pgkq (version " + version
                    + " of its tables; this one supports up to " + newest()
                    + ") and was left unchanged. Use the newer pgkq, or another " + database.kind());
        }
    }

    private int version(Connection connection, Database database) throws SQLException {
        try (PreparedStatement tables = connection.prepareStatement(database.countTablesQuery())) {
            tables.setString(1, table);
            if (number(tables) == 0) {
                return 0;
            }
        }
        try (PreparedStatement newest = connection.prepareStatement("SELECT max(version) FROM " + table)) {
            return number(newest);
        }
    }

    private static int number(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
