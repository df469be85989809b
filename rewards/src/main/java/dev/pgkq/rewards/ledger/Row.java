package dev.pgkq.rewards.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The columns of an evaluation's row that decide about claims.
 *
 * @param run name of the run that claimed or paid for it
 * @param attempts number of attempts since the last {@link Ledger#askAgain}
 * @param token random id of the current claim; empty if there is none
 * @param leaseUntil end of the lease, in milliseconds since 1970
 * @param expired whether the lease has ended by the database's clock
 * @param stored the answer; null if there is none
 */
record Row(
        State state,
        String run,
        int steps,
        int attempts,
        int inDoubt,
        String owner,
        String token,
        long leaseUntil,
        boolean expired,
        String error,
        @Nullable StoredAnswer stored) {

    static Row of(LedgerKey key, ResultSet rows) throws SQLException {
        return new Row(
                State.of(rows.getString("state")),
                rows.getString("run"),
                rows.getInt("steps"),
                rows.getInt("attempts") - rows.getInt("forgiven"),
                rows.getInt("in_doubt"),
                rows.getString("owner"),
                rows.getString("token"),
                rows.getLong("lease_until"),
                rows.getBoolean("expired"),
                rows.getString("error"),
                StoredAnswer.of(key, rows));
    }

    /** The whole row. The claim of an owner that is dead, or has not renewed it in time, does not count. */
    static LedgerEntry entry(ResultSet rows, Owner here) throws SQLException {
        LedgerKey key = new LedgerKey(rows.getString("key"));
        StoredAnswer stored = StoredAnswer.of(key, rows);
        String owner = rows.getString("owner");
        boolean held = !owner.equals(Owner.NOBODY)
                && !rows.getBoolean("expired")
                && !Owner.parse(owner).isDeadAsSeenFrom(here);
        return new LedgerEntry(
                new EvaluationId(
                        key,
                        rows.getString("oracle"),
                        rows.getString("task"),
                        rows.getString("run"),
                        rows.getInt("iteration"),
                        rows.getInt("episode"),
                        rows.getInt("steps")),
                State.of(rows.getString("state")),
                rows.getInt("attempts"),
                rows.getInt("in_doubt"),
                rows.getInt("reused"),
                Instant.ofEpochMilli(rows.getLong("requested")),
                instant(rows, "started"),
                instant(rows, "finished"),
                held ? Owner.parse(owner).words() : "",
                held ? instant(rows, "lease_until") : null,
                stored == null ? null : stored.summary(),
                unanswered(rows),
                rows.getString("error"));
    }

    private static LedgerEntry.Unanswered unanswered(ResultSet rows) throws SQLException {
        double charge = rows.getDouble("charge");
        boolean isUnderWay = !rows.wasNull();
        return new LedgerEntry.Unanswered(
                rows.getInt("unanswered") + (isUnderWay ? 1 : 0), rows.getDouble("unanswered_cost") + charge);
    }

    private static @Nullable Instant instant(ResultSet rows, String column) throws SQLException {
        long millis = rows.getLong(column);
        return rows.wasNull() ? null : Instant.ofEpochMilli(millis);
    }
}
