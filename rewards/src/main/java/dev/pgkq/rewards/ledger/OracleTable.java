package dev.pgkq.rewards.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The SQL statements on the table of oracles: which contents may answer under which identity. */
final class OracleTable {
    private final String now;

    /**
     * @param now SQL expression for the current time
     */
    OracleTable(String now) {
        this.now = now;
    }

    /** See {@link Ledger#recognize}. */
    Optional<OtherContents> recognize(
            Connection connection, String oracle, String contents, String unrecorded, boolean accept)
            throws SQLException {
        List<String> known = contents(connection, oracle);
        if (known.contains(contents)) {
            return Optional.empty();
        }
        long answers = answers(connection, oracle);
        if (answers == 0) {
            change(connection, "DELETE FROM pgkq_oracle WHERE oracle = ?", oracle);
        } else if (known.isEmpty()) {
            add(connection, oracle, unrecorded);
            known = List.of(unrecorded);
        }
        if (answers > 0 && !known.contains(contents) && !accept) {
            return Optional.of(new OtherContents(answers, known.getFirst()));
        }
        add(connection, oracle, contents);
        return Optional.empty();
    }

    private void add(Connection connection, String oracle, String contents) throws SQLException {
        change(
                connection,
                "INSERT INTO pgkq_oracle (oracle, contents, since) VALUES (?, ?, " + now + ") ON CONFLICT DO NOTHING",
                oracle,
                contents);
    }

    private static List<String> contents(Connection connection, String oracle) throws SQLException {
        String sql = "SELECT contents FROM pgkq_oracle WHERE oracle = ? ORDER BY since DESC";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, oracle);
            List<String> contents = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    contents.add(rows.getString(1));
                }
            }
            return contents;
        }
    }

    private static long answers(Connection connection, String oracle) throws SQLException {
        String sql = "SELECT count(*) FROM pgkq_evaluation WHERE oracle = ? AND state = 'done'";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, oracle);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }

    private static void change(Connection connection, String sql, String... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }
}
