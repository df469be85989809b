package dev.pgkq.rewards.ledger;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.request.Reply;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An answer in the database: the columns {@code grain}, {@code rewards}, {@code cost} and {@code checksum}. A database detects
 * damage to its own structure but not to the values in it; the checksum does.
 *
 * @param rewards the numbers as little-endian doubles
 * @param damaged whether the checksum does not match
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StoredAnswer(String grain, byte[] rewards, double cost, boolean damaged) {
    /** Sets the four columns, starting at parameter {@code first}. */
    static void set(PreparedStatement statement, int first, LedgerKey key, Reply reply) throws SQLException {
        String grain = reply.grain().name().toLowerCase(Locale.ROOT);
        byte[] rewards = bytes(reply.values());
        double cost = reply.cost().orElse(0);
        statement.setString(first, grain);
        statement.setBytes(first + 1, rewards);
        statement.setDouble(first + 2, cost);
        statement.setLong(first + 3, checksum(key, grain, rewards, cost));
    }

    /** The answer in a row; null if the row has none. */
    static @Nullable StoredAnswer of(LedgerKey key, ResultSet rows) throws SQLException {
        byte[] rewards = rows.getBytes("rewards");
        if (rewards == null) {
            return null;
        }
        String grain = String.valueOf(rows.getString("grain"));
        double cost = rows.getDouble("cost");
        return new StoredAnswer(grain, rewards, cost, checksum(key, grain, rewards, cost) != rows.getLong("checksum"));
    }

    Reply reply() {
        return new Reply(
                Grain.valueOf(grain.toUpperCase(Locale.ROOT)),
                values(rewards),
                OptionalDouble.of(cost),
                Optional.empty());
    }

    LedgerEntry.Answered summary() {
        return damaged
                ? new LedgerEntry.Answered(Double.NaN, 0, true)
                : new LedgerEntry.Answered(reply().total(), cost, false);
    }

    static byte[] bytes(double[] values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asDoubleBuffer().put(values);
        return bytes.array();
    }

    private static double[] values(byte[] bytes) {
        double[] values = new double[bytes.length / Double.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(values);
        return values;
    }

    private static long checksum(LedgerKey key, String grain, byte[] bytes, double cost) {
        CRC32C sum = new CRC32C();
        sum.update(key.hex().getBytes(US_ASCII));
        sum.update(grain.getBytes(US_ASCII));
        sum.update(ByteBuffer.allocate(Double.BYTES).putDouble(0, cost));
        sum.update(bytes);
        return sum.getValue();
    }
}
