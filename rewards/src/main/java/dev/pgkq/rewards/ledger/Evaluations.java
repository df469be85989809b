package dev.pgkq.rewards.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The SQL of the table of evaluations. Whatever changes a row says in the same statement what the row must be like, so who
 * comes first is decided by the database, and each says whether it changed something.
 */
final class Evaluations {
    private static final String UNANSWERED = "state IN ('requested', 'running')";
    private static final int ROWS_AT_A_TIME = 500;

    private final String now;
    private final String lease;
    private final String owner;

    /**
     * @param now the database's expression for the time
     * @param owner who claims
     * @param lease for how long
     */
    Evaluations(String now, String owner, Duration lease) {
        this.now = now;
        this.owner = owner;
        this.lease = now + " + " + lease.toMillis();
    }

    Optional<Row> find(Connection connection, LedgerKey key) throws SQLException {
        String sql = "SELECT *, lease_until <= " + now + " AS expired FROM pgkq_evaluation WHERE key = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, key.hex());
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(Row.of(key, rows)) : Optional.empty();
            }
        }
    }

    /** Enters a new one as claimed; false if there is one by now. */
    boolean insert(Connection connection, EvaluationId wanted, String token) throws SQLException {
        String sql = """
                INSERT INTO pgkq_evaluation (key, oracle, task, run, iteration, episode, steps, owner, token, state,
                    attempts, forgiven, in_doubt, reused, requested, lease_until, error)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'requested', 0, 0, 0, 0, %s, %s, '')
                ON CONFLICT (key) DO NOTHING
                """.formatted(now, lease);
        return change(
                connection,
                sql,
                wanted.key().hex(),
                Texts.storable(wanted.oracle()),
                Texts.storable(wanted.task()),
                Texts.storable(wanted.run()),
                wanted.iteration(),
                wanted.episode(),
                wanted.steps(),
                owner,
                token);
    }

    /** Takes what nobody has in hand; false if it is not as it was {@code seen}. */
    boolean take(Connection connection, EvaluationId wanted, Row seen, String token) throws SQLException {
        String sql = "UPDATE pgkq_evaluation SET state = 'requested', owner = ?, token = ?, lease_until = " + lease
                + ", in_doubt = in_doubt + ?, run = ?, iteration = ?, episode = ?"
                + " WHERE key = ? AND state = ? AND token = ? AND lease_until = ?";
        return change(
                connection,
                sql,
                owner,
                token,
                seen.state() == State.RUNNING ? 1 : 0,
                wanted.run(),
                wanted.iteration(),
                wanted.episode(),
                wanted.key().hex(),
                seen.state().word(),
                seen.token(),
                seen.leaseUntil());
    }

    /** If it can be written: what has been paid for is to be had on a full disk, too. */
    void countReuse(Connection connection, LedgerKey key) {
        try {
            change(connection, "UPDATE pgkq_evaluation SET reused = reused + 1 WHERE key = ?", key.hex());
        } catch (SQLException e) {
            // One too few is counted.
        }
    }

    /** Counts an attempt unless one is under way, so that it can be repeated; false if the claim was lost. */
    boolean attempt(Connection connection, LedgerKey key) throws SQLException {
        String sql = "UPDATE pgkq_evaluation SET state = 'running', attempts = attempts + 1, started = " + now
                + ", lease_until = " + lease + " WHERE key = ? AND owner = ? AND state = 'requested'";
        return change(connection, sql, key.hex(), owner) || renew(connection, key);
    }

    boolean renew(Connection connection, LedgerKey key) throws SQLException {
        return changeOwn(connection, key, "lease_until = " + lease);
    }

    boolean failAttempt(Connection connection, LedgerKey key, String error) throws SQLException {
        return changeOwn(connection, key, "state = 'requested', error = ?", Texts.bounded(error));
    }

    boolean fail(Connection connection, LedgerKey key, String error) throws SQLException {
        return changeOwn(
                connection,
                key,
                "state = 'failed', owner = '', token = '', lease_until = 0, finished = " + now + ", error = ?",
                Texts.bounded(error));
    }

    boolean release(Connection connection, LedgerKey key) throws SQLException {
        return changeOwn(connection, key, "state = 'requested', owner = '', token = '', lease_until = 0");
    }

    boolean askAgain(Connection connection, LedgerKey key) throws SQLException {
        return change(
                connection,
                "UPDATE pgkq_evaluation SET state = 'requested', forgiven = attempts, finished = NULL"
                        + " WHERE key = ? AND state = 'failed'",
                key.hex());
    }

    /** Records an answer; false if there is one, or it is of another length than the episode. */
    boolean answer(Connection connection, LedgerKey key, LedgerAnswer answer) throws SQLException {
        String sql = "UPDATE pgkq_evaluation SET state = 'done', owner = '', token = '', lease_until = 0, finished = "
                + now + ", grain = ?, rewards = ?, cost = ?, checksum = ?"
                + " WHERE key = ? AND state <> 'done' AND (? = 1 OR steps = ?)";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Stored.set(statement, 1, key, answer);
            statement.setString(5, key.hex());
            statement.setInt(6, answer.isOfWholeEpisode() ? 1 : 0);
            statement.setInt(7, answer.values().length);
            return statement.executeUpdate() > 0;
        }
    }

    /** Lets go of everything: what the oracle has in hand can be taken over at once, the rest is free. */
    void releaseAll(Connection connection) throws SQLException {
        change(
                connection,
                "UPDATE pgkq_evaluation SET owner = '', token = '', lease_until = 0"
                        + " WHERE owner = ? AND state = 'requested'",
                owner);
        change(connection, "UPDATE pgkq_evaluation SET lease_until = 0 WHERE owner = ? AND state = 'running'", owner);
    }

    /** @param now the database's expression for the time */
    static void read(Connection connection, String now, Consumer<LedgerEntry> reader) throws SQLException {
        String sql = "SELECT *, lease_until <= " + now + " AS expired FROM pgkq_evaluation ORDER BY requested, key";
        Owner here = Owner.current();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setFetchSize(ROWS_AT_A_TIME);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    reader.accept(entry(rows, here));
                }
            }
        }
    }

    private static LedgerEntry entry(ResultSet rows, Owner here) throws SQLException {
        try {
            return Row.entry(rows, here);
        } catch (IllegalArgumentException e) {
            throw new SQLDataException("an entry is damaged, " + e.getMessage(), e);
        }
    }

    private boolean changeOwn(Connection connection, LedgerKey key, String changes, Object... values)
            throws SQLException {
        Object[] all = new Object[values.length + 2];
        System.arraycopy(values, 0, all, 0, values.length);
        all[values.length] = key.hex();
        all[values.length + 1] = owner;
        String sql = "UPDATE pgkq_evaluation SET " + changes + " WHERE key = ? AND owner = ? AND " + UNANSWERED;
        return change(connection, sql, all);
    }

    private static boolean change(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate() > 0;
        }
    }
}
