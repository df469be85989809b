package dev.pgkq.rewards.advise;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** The SQL statements on the table of questions that were answered. */
final class RequestTable {
    private RequestTable() {}

    static void insert(Connection connection, Request request) throws SQLException {
        String sql = "INSERT INTO pgkq_request (request, round, resumed) VALUES (?, ?, ?)";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, request.name());
            statement.setInt(2, request.round());
            statement.setInt(3, request.resumed() ? 1 : 0);
            statement.executeUpdate();
        }
    }

    static Optional<Request> find(Connection connection, String name) throws SQLException {
        String sql = "SELECT round, resumed FROM pgkq_request WHERE request = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next()
                        ? Optional.of(new Request(name, rows.getInt("round"), rows.getInt("resumed") == 1))
                        : Optional.empty();
            }
        }
    }
}
