package dev.pgkq.rewards.database;

import dev.pgkq.text.UserException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The tables of a database, and how older ones become those of today: version n comes about by the n-th list of statements,
 * on top of version n − 1. A database is brought up to date in one transaction, so that it has one version or the other, whatever
 * happens. Lists are added and never changed: databases exist that were made with them.
 *
 * @param table has a row for every version that this database has had; by its name a database is known
 * @param versions statements of version 1, 2, …; {@code BYTES} stands for the database's type of bytes
 */
public record Schema(String table, List<List<String>> versions) {
    public int newest() {
        return versions.size();
    }

    /** Makes the tables, or changes older ones. */
    public void bringUpToDate(Connection connection, Database database) throws SQLException {
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

    /** For those who only read: the tables must be those of today. */
    public void requireUpToDate(Connection connection, Database database) throws SQLException {
        int version = version(connection, database);
        requireKnown(version, database);
        if (version == 0) {
            throw new UserException(
                    "there is no " + database.kind() + " in " + database.name() + ": no run has made one there");
        }
        if (version < newest()) {
            throw new UserException("the " + database.kind() + " " + database.name() + " is of an older version, "
                    + version + " and not " + newest()
                    + ". The next run that uses it brings it up to date; reading it does not");
        }
    }

    private void requireKnown(int version, Database database) {
        if (version > newest()) {
            throw new UserException("the " + database.kind() + " " + database.name()
                    + " was written by a newer pgkq (version " + version
                    + " of its tables; this one knows up to " + newest()
                    + ") and was left as it is. Use that pgkq, or another " + database.kind());
        }
    }

    private int version(Connection connection, Database database) throws SQLException {
        try (PreparedStatement tables = connection.prepareStatement(database.tablesNamed())) {
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
