package dev.pgkq.random;

import java.util.Arrays;

/**
 * A stream of random numbers keyed by (run seed, purpose, indices), for instance (seed, ACTION, iteration, episode).
 *
 * <p>The same key always gives the same numbers, on every platform and whatever other streams are in use. A run is
 * therefore independent of its number of threads, and a resumed run equals an uninterrupted one although its checkpoint
 * holds no random state.
 *
 * <p>The generator is xoshiro256++ [1]; its four words come from SplitMix64 [2] applied to a hash of the key. Normal
 * deviates use the polar method [3] with {@link StrictMath}, whose results do not depend on the processor.
 *
 * <ol>
 *   <li>D. Blackman, S. Vigna: Scrambled linear pseudorandom number generators. ACM TOMS 47(4), 2021.
 *   <li>G. Steele, D. Lea, C. Flood: Fast splittable pseudorandom number generators. OOPSLA 2014.
 *   <li>G. Marsaglia, T. Bray: A convenient method for generating normal variables. SIAM Review 6(3), 1964.
 * </ol>
 *
 * Not thread-safe: a stream belongs to the one task it is keyed for.
 */
public final class RandomStream {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
    private static final double DOUBLE_UNIT = 0x1.0p-53;

    private long s0;
    private long s1;
    private long s2;
    private long s3;
    private double spareGaussian = Double.NaN;

    private RandomStream(long key) {
        long word = key + GOLDEN_GAMMA;
        s0 = mix(word);
        word += GOLDEN_GAMMA;
        s1 = mix(word);
        word += GOLDEN_GAMMA;
        s2 = mix(word);
        word += GOLDEN_GAMMA;
        s3 = mix(word);
    }

    /**
     * Opens the stream of a key, at its start.
     *
     * @param seed of the run
     * @param purpose what the numbers are for
     * @param indices which of the streams with this purpose, for instance iteration and episode
     * @return the stream
     */
    public static RandomStream of(long seed, Purpose purpose, long... indices) {
        long key = mix(seed + GOLDEN_GAMMA);
        key = mix(key ^ purpose.key * GOLDEN_GAMMA);
        for (long index : indices) {
            key = mix(key * 3 + index + GOLDEN_GAMMA);
        }
        return new RandomStream(key);
    }

    /** The finaliser of SplitMix64: a bijection of 64-bit words in which every input bit changes every output bit. */
    private static long mix(long word) {
        long z = word;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** {@return 64 random bits} */
    public long nextLong() {
        long result = Long.rotateLeft(s0 + s3, 23) + s0;
        long t = s1 << 17;
        s2 ^= s0;
        s3 ^= s1;
        s1 ^= s2;
        s0 ^= s3;
        s2 ^= t;
        s3 = Long.rotateLeft(s3, 45);
        return result;
    }

    /** {@return a number uniform on [0, 1)} */
    public double nextDouble() {
        return (nextLong() >>> 11) * DOUBLE_UNIT;
    }

    /**
     * Draws a number uniformly from an interval.
     *
     * @param low the lower end
     * @param high the upper end
     * @return a number uniform on [low, high)
     */
    public double uniform(double low, double high) {
        return low + (high - low) * nextDouble();
    }

    /**
     * Draws an integer without bias.
     *
     * @param bound how many values are possible
     * @return an integer uniform on 0 … bound − 1
     * @throws IllegalArgumentException if the bound is not positive
     */
    public int nextInt(int bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound must be positive, got " + bound);
        }
        while (true) {
            long candidate = nextLong() >>> 1;
            long value = candidate % bound;
            if (candidate - value <= Long.MAX_VALUE - (bound - 1)) {
                return (int) value;
            }
        }
    }

    /** {@return a standard normal number} */
    public double nextGaussian() {
        if (!Double.isNaN(spareGaussian)) {
            double result = spareGaussian;
            spareGaussian = Double.NaN;
            return result;
        }
        while (true) {
            double x = 2 * nextDouble() - 1;
            double y = 2 * nextDouble() - 1;
            double square = x * x + y * y;
            if (square < 1 && square > 0) {
                double scale = StrictMath.sqrt(-2 * StrictMath.log(square) / square);
                spareGaussian = y * scale;
                return x * scale;
            }
        }
    }

    /**
     * Shuffles an array in place by Fisher–Yates: every order is equally likely.
     *
     * @param values to be shuffled
     */
    public void shuffle(int[] values) {
        for (int i = values.length - 1; i > 0; i--) {
            int j = nextInt(i + 1);
            int swapped = values[i];
            values[i] = values[j];
            values[j] = swapped;
        }
    }

    /**
     * Draws indices without replacement: every subset of that size is equally likely.
     *
     * @param size number of indices to draw from: 0 … size − 1
     * @param count how many to draw; all of them where there are no more
     * @return the indices drawn, in ascending order
     */
    public int[] subset(int size, int count) {
        int[] order = new int[size];
        Arrays.setAll(order, i -> i);
        shuffle(order);
        int[] drawn = Arrays.copyOf(order, Math.min(count, size));
        Arrays.sort(drawn);
        return drawn;
    }
}
