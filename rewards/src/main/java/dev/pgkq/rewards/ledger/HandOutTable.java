package dev.pgkq.rewards.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/** The SQL statements of {@link SqlHandOuts}, which differ from those of {@link EvaluationTable} in what counts as a call. */
final class HandOutTable {
    private final String now;

    /** @param now SQL expression for the current time */
    HandOutTable(String now) {
        this.now = now;
    }

    /** Receives a row. */
    @FunctionalInterface
    interface RowConsumer {
        /** @param calls number of calls that count */
        void accept(LedgerKey key, Row row, int calls);
    }

    void find(Connection connection, List<LedgerKey> keys, RowConsumer rows) throws SQLException {
        String places = String.join(", ", Collections.nCopies(keys.size(), "?"));
        String sql =
                "SELECT *, lease_until <= " + now + " AS expired FROM pgkq_evaluation WHERE key IN (" + places + ")";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < keys.size(); i++) {
                statement.setString(i + 1, keys.get(i).hex());
            }
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    LedgerKey key = new LedgerKey(found.getString("key"));
                    Row row = Row.of(key, found);
                    found.getDouble("charge");
                    boolean underWay = !found.wasNull();
                    int calls = found.getInt("unanswered") + (underWay || row.state() == State.DONE ? 1 : 0);
                    rows.accept(key, row, calls);
                }
            }
        }
    }

    /** Inserts an evaluation that nobody has claimed, unless there already is one. */
    void requireRow(Connection connection, EvaluationId id, String run) throws SQLException {
        String sql = """
                INSERT INTO pgkq_evaluation (key, oracle, task, run, iteration, episode, steps, owner, token, state,
                    attempts, forgiven, in_doubt, reused, requested, lease_until, error)
                VALUES (?, ?, ?, ?, ?, ?, ?, '', '', 'requested', 0, 0, 0, 0, %s, 0, '')
                ON CONFLICT (key) DO NOTHING
                """.formatted(now);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, id.key().hex());
            statement.setString(2, StorableText.of(id.oracle()));
            statement.setString(3, StorableText.of(id.task()));
            statement.setString(4, StorableText.of(run));
            statement.setInt(5, id.iteration());
            statement.setInt(6, id.episode());
            statement.setInt(7, id.steps());
            statement.executeUpdate();
        }
    }

    /** Whether there is a call, under way or counted, whose answer is not known. */
    boolean hasCall(Connection connection, LedgerKey key) throws SQLException {
        String sql = "SELECT count(*) FROM pgkq_evaluation WHERE key = ? AND (charge IS NOT NULL OR unanswered > 0)";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, key.hex());
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getInt(1) > 0;
            }
        }
    }

    /** Records the answer of the call under way, or else of one that counts without an answer, or else of none. */
    void answer(Connection connection, HandOuts.Answered answered, String elsewhere) throws SQLException {
        String sql = "UPDATE pgkq_evaluation SET state = 'done', owner = '', token = '', lease_until = 0, finished = "
                + now + ", run = CASE WHEN charge IS NULL AND unanswered = 0 THEN ? ELSE run END,"
                + " unanswered = unanswered - CASE WHEN charge IS NULL AND unanswered > 0 THEN 1 ELSE 0 END,"
                + " charge = NULL, grain = ?, rewards = ?, cost = ?, checksum = ? WHERE key = ? AND state <> 'done'";
        LedgerKey key = answered.id().key();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, StorableText.of(elsewhere));
            StoredAnswer.set(statement, 2, key, answered.reply());
            statement.setString(6, key.hex());
            statement.executeUpdate();
        }
    }

    /** Lets the call under way not count; false if there is none. */
    boolean waiveCharge(Connection connection, LedgerKey key) throws SQLException {
        String sql = "UPDATE pgkq_evaluation SET charge = NULL WHERE key = ? AND charge IS NOT NULL";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, key.hex());
            return statement.executeUpdate() > 0;
        }
    }

    /** The call under way keeps its charge: if an answer arrives nevertheless, it is the same call. */
    void giveUp(Connection connection, LedgerKey key, String reason) throws SQLException {
        String sql = "UPDATE pgkq_evaluation SET state = 'failed', owner = '', token = '', lease_until = 0, finished = "
                + now + ", error = ? WHERE key = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, StorableText.ofError(reason));
            statement.setString(2, key.hex());
            statement.executeUpdate();
        }
    }
}
