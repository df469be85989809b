package dev.pgkq.rewards.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.episode.Episode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The key of an evaluation: a SHA-256 of the oracle's identity, the task and the contents of the episode. It is also the
 * idempotency key in requests to the oracle.
 *
 * <p>Where and when the episode was sampled (run, seed, iteration, index) is not part of the key: the same episode evaluated by
 * the same oracle has the same reward. Neither are the simulator's states. Actions contain the noise that they were sampled
 * with, so two episodes whose actions agree to the last bit are the same episode, computed twice.
 *
 * <p>The hash covers these fields, each preceded by its length in bytes as a little-endian 64-bit number:
 * {@code pgkq-evaluation-1}, the oracle's identity, the task's id, T as decimal text, the observations and the actions as
 * little-endian floats, and the way the episode ended. {@code docs/ledger.md} specifies the same for other languages.
 *
 * @param hex 64 hexadecimal digits
 */
public record LedgerKey(String hex) {
    private static final String FORMAT = "pgkq-evaluation-1";
    private static final String ITEM_FORMAT = "pgkq-item-1";

    public LedgerKey {
        if (!hex.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException("a ledger key has 64 hexadecimal digits, not '" + hex + "'");
        }
    }

    /**
     * The key of an evaluation.
     *
     * @param oracleIdentity everything that determines the oracle's answers: another command or judge is another oracle
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

    /**
     * The key of the score of an item, which may be anything that has an identifier: a SHA-256 of {@code pgkq-item-1}, the judge
     * and the identifier, each preceded by its length like the fields above.
     *
     * @param judge everything that determines the score besides the item
     */
    public static LedgerKey ofItem(String judge, String id) {
        MessageDigest hash = sha256();
        add(hash, ITEM_FORMAT);
        add(hash, judge);
        add(hash, id);
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
