package dev.pgkq.rewards.ledger;

import dev.pgkq.reward.Grain;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An answer as the database has it: the columns {@code grain}, {@code rewards}, {@code cost} and {@code checksum}. */
@SuppressWarnings("ArrayRecordComponent")
record Stored(String grain, byte[] rewards, double cost, boolean damaged) {
    /** Sets the four columns, from parameter {@code first} on. */
    static void set(PreparedStatement statement, int first, LedgerKey key, LedgerAnswer answer) throws SQLException {
        String grain = answer.grain().name().toLowerCase(Locale.ROOT);
        byte[] rewards = answer.bytes();
        statement.setString(first, grain);
        statement.setBytes(first + 1, rewards);
        statement.setDouble(first + 2, answer.cost());
        statement.setLong(first + 3, LedgerAnswer.checksum(key, grain, rewards, answer.cost()));
    }

    /** Null if there is no answer in that row. */
    static @Nullable Stored of(LedgerKey key, ResultSet rows) throws SQLException {
        byte[] rewards = rows.getBytes("rewards");
        if (rewards == null) {
            return null;
        }
        String grain = String.valueOf(rows.getString("grain"));
        double cost = rows.getDouble("cost");
        long checksum = LedgerAnswer.checksum(key, grain, rewards, cost);
        return new Stored(grain, rewards, cost, checksum != rows.getLong("checksum"));
    }

    LedgerAnswer answer() {
        return new LedgerAnswer(Grain.valueOf(grain.toUpperCase(Locale.ROOT)), LedgerAnswer.values(rewards), cost);
    }

    LedgerEntry.Answered summary() {
        if (damaged) {
            return new LedgerEntry.Answered(Double.NaN, 0, true);
        }
        return new LedgerEntry.Answered(answer().total(), cost, false);
    }
}
