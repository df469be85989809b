package dev.pgkq.rewards.people;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Runs SQL statements with parameters. */
final class Sql {
    private Sql() {}

    /** Converts a row. */
    @FunctionalInterface
    interface Reader<T> {
        T of(ResultSet row) throws SQLException;
    }

    /** The rows that a query returns. */
    static <T> List<T> list(Connection connection, Reader<T> reader, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(connection, sql, values);
                ResultSet rows = statement.executeQuery()) {
            List<T> found = new ArrayList<>();
            while (rows.next()) {
                found.add(reader.of(rows));
            }
            return found;
        }
    }

    /** The single number that a query returns; 0 if it is null. */
    static long number(Connection connection, String sql, Object... values) throws SQLException {
        return list(connection, row -> row.getLong(1), sql, values).getFirst();
    }

    /** Runs an update, and returns the number of changed rows. */
    static int change(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(connection, sql, values)) {
            return statement.executeUpdate();
        }
    }

    private static PreparedStatement prepared(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }
}
