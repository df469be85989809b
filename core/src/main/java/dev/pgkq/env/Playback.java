package dev.pgkq.env;

import java.util.zip.CRC32;

/**
 * What it takes to play an episode again, and to notice if another episode comes of it.
 *
 * @param seed what the environment's reset received
 * @param actions the actions in the environment's range, row by row
 * @param checks a {@linkplain #check checksum} of the observation before each step
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Playback(long seed, float[] actions, int[] checks) {
    /** A checksum has so many bits that single precision holds it. */
    private static final int BITS = 24;

    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException if the number of actions is not a multiple of the number of steps
     */
    public Playback {
        if (checks.length == 0 ? actions.length > 0 : actions.length % checks.length != 0) {
            throw new IllegalArgumentException(
                    actions.length + " numbers of actions do not make " + checks.length + " steps");
        }
    }

    /** {@return T, the number of steps} */
    public int length() {
        return checks.length;
    }

    /**
     * {@return a checksum of an observation, from 0 to 2²⁴ − 1}
     *
     * @param values hold the observation
     * @param from index of its first number
     * @param size how many numbers it has
     */
    public static int check(float[] values, int from, int size) {
        CRC32 sum = new CRC32();
        for (int i = from; i < from + size; i++) {
            int bits = Float.floatToRawIntBits(values[i]);
            for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
                sum.update(bits >>> shift);
            }
        }
        return (int) (sum.getValue() & ((1 << BITS) - 1));
    }
}
