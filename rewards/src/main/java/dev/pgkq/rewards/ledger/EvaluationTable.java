package dev.pgkq.rewards.ledger;

import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.request.Reply;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * The SQL statements on the table of evaluations. Every update states in its own condition what the row must look like, so the
 * database decides who comes first, and returns whether it changed the row.
 */
final class EvaluationTable {
    static final String NAME = "pgkq_evaluation";

    /** The charge of a call that counts and has no cost of its own. */
    static final OptionalDouble COUNTS = OptionalDouble.of(0);

    private static final String UNANSWERED = "state IN ('requested', 'running')";
    private static final int ROWS_AT_A_TIME = 500;
    /** Counts the call under way as one that is not answered. */
    private static final String SETTLE_CHARGE = "unanswered = unanswered + CASE WHEN charge IS NULL THEN 0 ELSE 1 END,"
            + " unanswered_cost = unanswered_cost + COALESCE(charge, 0), charge = NULL";

    private final String now;
    private final String lease;
    private final String owner;

    /**
     * @param now SQL expression for the current time
     * @param owner owner of new claims
     * @param lease length of the lease
     */
    EvaluationTable(String now, String owner, Duration lease) {
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

    /** Inserts a new, claimed evaluation; false if there already is one. */
    boolean insert(Connection connection, EvaluationId id, String token) throws SQLException {
        String sql = """
                INSERT INTO pgkq_evaluation (key, oracle, task, run, iteration, episode, steps, owner, token, state,
                    attempts, forgiven, in_doubt, reused, requested, lease_until, error)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'requested', 0, 0, 0, 0, %s, %s, '')
                ON CONFLICT (key) DO NOTHING
                """.formatted(now, lease);
        return change(
                connection,
                sql,
                id.key().hex(),
                StorableText.of(id.oracle()),
                StorableText.of(id.task()),
                StorableText.of(id.run()),
                id.iteration(),
                id.episode(),
                id.steps(),
                owner,
                token);
    }

    /** Takes over an evaluation without a valid claim; false if the row has changed since it was {@code seen}. */
    boolean take(Connection connection, EvaluationId id, Row seen, String token) throws SQLException {
        String sql = "UPDATE pgkq_evaluation SET state = 'requested', owner = ?, token = ?, lease_until = " + lease
                + ", in_doubt = in_doubt + ?, run = ?, iteration = ?, episode = ?, " + SETTLE_CHARGE
                + " WHERE key = ? AND state = ? AND token = ? AND lease_until = ?";
        return change(
                connection,
                sql,
                owner,
                token,
                seen.state() == State.RUNNING ? 1 : 0,
                id.run(),
                id.iteration(),
                id.episode(),
                id.key().hex(),
                seen.state().word(),
                seen.token(),
                seen.leaseUntil());
    }

    /** Counts a reuse if possible: an answer that has been paid for must be available on a full disk, too. */
    void countReuse(Connection connection, LedgerKey key) {
        try {
            change(connection, "UPDATE pgkq_evaluation SET reused = reused + 1 WHERE key = ?", key.hex());
        } catch (SQLException e) {
            // The count is one too low.
        }
    }

    /** Counts an attempt unless one is under way, so that it is safe to repeat; false if the claim was lost. */
    boolean attempt(Connection connection, LedgerKey key, OptionalDouble charge) throws SQLException {
        // a number, not a parameter: the type of a null would be unknown
        String price = charge.isPresent() ? Double.toString(charge.getAsDouble()) : "NULL";
        String sql = "UPDATE pgkq_evaluation SET state = 'running', attempts = attempts + 1, charge = " + price
                + ", started = " + now + ", lease_until = " + lease
                + " WHERE key = ? AND owner = ? AND state = 'requested'";
        return change(connection, sql, key.hex(), owner) || renew(connection, key);
    }

    boolean renew(Connection connection, LedgerKey key) throws SQLException {
        return changeOwn(connection, key, "lease_until = " + lease);
    }

    boolean failAttempt(Connection connection, LedgerKey key, FailedCall call) throws SQLException {
        return changeOwn(
                connection,
                key,
                "state = 'requested', charge = NULL, unanswered = unanswered + ?, unanswered_cost = unanswered_cost + ?,"
                        + " in_doubt = in_doubt + ?, error = ?",
                call.counts() ? 1 : 0,
                call.cost().orElse(0),
                call.inDoubt() ? 1 : 0,
                StorableText.ofError(call.error()));
    }

    boolean fail(Connection connection, LedgerKey key, String error) throws SQLException {
        return changeOwn(
                connection,
                key,
                "state = 'failed', owner = '', token = '', lease_until = 0, finished = " + now + ", error = ?, "
                        + SETTLE_CHARGE,
                StorableText.ofError(error));
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

    /** Says which run has paid for an evaluation that has no answer yet. */
    boolean assign(Connection connection, EvaluationId id) throws SQLException {
        return change(
                connection,
                "UPDATE pgkq_evaluation SET run = ?, iteration = ?, episode = ? WHERE key = ? AND state <> 'done'",
                StorableText.of(id.run()),
                id.iteration(),
                id.episode(),
                id.key().hex());
    }

    /** Records an answer; false if there already is one, or if its length is not that of the episode. */
    boolean answer(Connection connection, LedgerKey key, Reply answer) throws SQLException {
        String sql = "UPDATE pgkq_evaluation SET state = 'done', owner = '', token = '', lease_until = 0, finished = "
                + now + ", charge = NULL, grain = ?, rewards = ?, cost = ?, checksum = ?"
                + " WHERE key = ? AND state <> 'done' AND (? = 1 OR steps = ?)";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            StoredAnswer.set(statement, 1, key, answer);
            statement.setString(5, key.hex());
            statement.setInt(6, answer.grain() == Grain.EPISODE ? 1 : 0);
            statement.setInt(7, answer.values().length);
            return statement.executeUpdate() > 0;
        }
    }

    /** Ends all claims of this owner. Attempts under way are in doubt, and can be taken over at once. */
    void releaseAll(Connection connection) throws SQLException {
        change(
                connection,
                "UPDATE pgkq_evaluation SET owner = '', token = '', lease_until = 0"
                        + " WHERE owner = ? AND state = 'requested'",
                owner);
        change(connection, "UPDATE pgkq_evaluation SET lease_until = 0 WHERE owner = ? AND state = 'running'", owner);
    }

    /**
     * Reads all entries.
     *
     * @param now SQL expression for the current time
     */
    static void read(Connection connection, String now, Consumer<LedgerEntry> reader) throws SQLException {
        read(connection, now, "ORDER BY requested, key", List.of(), reader);
    }

    /**
     * Reads the entries of some evaluations.
     *
     * @param now SQL expression for the current time
     */
    static void read(Connection connection, String now, Collection<LedgerKey> keys, Consumer<LedgerEntry> reader)
            throws SQLException {
        List<LedgerKey> all = List.copyOf(keys);
        for (int from = 0; from < all.size(); from += ROWS_AT_A_TIME) {
            List<LedgerKey> some = all.subList(from, Math.min(all.size(), from + ROWS_AT_A_TIME));
            String places = String.join(", ", Collections.nCopies(some.size(), "?"));
            read(connection, now, "WHERE key IN (" + places + ")", some, reader);
        }
    }

    /** @param keys values for the places in the condition */
    private static void read(
            Connection connection, String now, String condition, List<LedgerKey> keys, Consumer<LedgerEntry> reader)
            throws SQLException {
        String sql = "SELECT *, lease_until <= " + now + " AS expired FROM pgkq_evaluation " + condition;
        Owner here = Owner.current();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setFetchSize(ROWS_AT_A_TIME);
            for (int i = 0; i < keys.size(); i++) {
                statement.setString(i + 1, keys.get(i).hex());
            }
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
