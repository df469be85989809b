package dev.pgkq.rewards.ledger;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.pgkq.reward.Grain;
import dev.pgkq.reward.Rewards;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * What an oracle answered: the reward of every step, or one number for the episode.
 *
 * @param grain which of the two
 * @param values the rewards, or the one number
 * @param cost what it cost, in whatever unit the oracle counts; 0 if it does not
 */
@SuppressWarnings("ArrayRecordComponent") // equal by contents, below
public record LedgerAnswer(Grain grain, double[] values, double cost) {
    public LedgerAnswer {
        if (grain == Grain.EPISODE && values.length != 1) {
            throw new IllegalArgumentException(values.length + " numbers for a whole episode");
        }
        for (double value : values) {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("a reward is " + value);
            }
        }
        if (!(cost >= 0 && cost < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("a cost is " + cost);
        }
    }

    public static LedgerAnswer ofSteps(double[] rewards, double cost) {
        return new LedgerAnswer(Grain.STEP, rewards, cost);
    }

    public static LedgerAnswer ofEpisode(double value, double cost) {
        return new LedgerAnswer(Grain.EPISODE, new double[] {value}, cost);
    }

    /** As rewards of an episode of that length. */
    public Rewards rewards(int steps) {
        if (!fits(steps)) {
            throw new IllegalArgumentException(values.length + " rewards for " + steps + " steps");
        }
        return isOfWholeEpisode() ? Rewards.ofEpisode(values[0], steps) : new Rewards(values);
    }

    boolean fits(int steps) {
        return isOfWholeEpisode() || values.length == steps;
    }

    boolean isOfWholeEpisode() {
        return grain == Grain.EPISODE;
    }

    /** The sum of the numbers. */
    public double total() {
        return Arrays.stream(values).sum();
    }

    /** The numbers as little-endian doubles. */
    byte[] bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asDoubleBuffer().put(values);
        return bytes.array();
    }

    static double[] values(byte[] bytes) {
        double[] values = new double[bytes.length / Double.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(values);
        return values;
    }

    /** A database notices damage to its own structure, not to what it stores; this tells whether these bytes are those. */
    static long checksum(LedgerKey key, String grain, byte[] bytes, double cost) {
        CRC32C sum = new CRC32C();
        sum.update(key.hex().getBytes(US_ASCII));
        sum.update(grain.getBytes(US_ASCII));
        sum.update(ByteBuffer.allocate(Double.BYTES).putDouble(0, cost));
        sum.update(bytes);
        return sum.getValue();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LedgerAnswer answer
                && grain == answer.grain
                && Arrays.equals(values, answer.values)
                && Double.compare(cost, answer.cost) == 0;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * grain.hashCode() + Arrays.hashCode(values)) + Double.hashCode(cost);
    }

    @Override
    public String toString() {
        return "LedgerAnswer[" + grain + ", " + Arrays.toString(values) + ", cost " + cost + "]";
    }
}
