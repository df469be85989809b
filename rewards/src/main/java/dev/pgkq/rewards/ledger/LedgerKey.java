package dev.pgkq.rewards.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.episode.Episode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What an evaluation is known by: a SHA-256 of the oracle, the task and what happened in the episode. It is also the
 * idempotency key that an oracle is given.
 *
 * <p>Where and when the episode was sampled (run, seed, iteration, index) is no part of it: the same episode asked of the
 * same oracle is the same reward. The simulator's states are none either. Actions carry the noise that they were sampled
 * with, so two episodes whose actions agree to the last bit are one episode, computed twice.
 *
 * <p>Hashed are, each with its length in bytes in front as a little-endian 64-bit number: {@code pgkq-evaluation-1}, the
 * oracle's identity, the task's id, T as decimal text, the observations and the actions as little-endian floats, and how the
 * episode ended. {@code docs/ledger.md} says the same, for programs in other languages.
 *
 * @param hex 64 digits
 */
public record LedgerKey(String hex) {
    private static final String FORMAT = "pgkq-evaluation-1";

    public LedgerKey {
        if (!hex.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException("a ledger key has 64 hexadecimal digits, not '" + hex + "'");
        }
    }

    /**
     * The key of an evaluation.
     *
     * @param oracleIdentity everything that decides what the oracle answers: another command or judge is another oracle
     */
    public static LedgerKey of(String oracleIdentity, String taskId, Episode episode) {
        MessageDigest hash = sha256();
        add(hash, FORMAT);
        add(hash, oracleIdentity);
        add(hash, taskId);
        add(hash, String.valueOf(episode.length()));
        add(hash, episode.observations());
        add(hash, episode.actions());
        add(hash, episode.ending().name());
        return new LedgerKey(HexFormat.of().formatHex(hash.digest()));
    }

    private static void add(MessageDigest hash, String text) {
        add(hash, text.getBytes(UTF_8));
    }

    private static void add(MessageDigest hash, float[] values) {
        ByteBuffer bytes = littleEndian(Math.multiplyExact(values.length, Float.BYTES));
        bytes.asFloatBuffer().put(values);
        add(hash, bytes.array());
    }

    private static void add(MessageDigest hash, byte[] bytes) {
        ByteBuffer length = littleEndian(Long.BYTES).putLong(0, bytes.length);
        hash.update(length);
        hash.update(bytes);
    }

    private static ByteBuffer littleEndian(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return hex;
    }
}
