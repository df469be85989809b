package dev.pgkq.state;

import java.util.Arrays;

/**
 * An array of numbers with a shape. Neither array is copied.
 *
 * @param shape the extent of each dimension
 * @param values the numbers in row-major order
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Tensor(int[] shape, float[] values) {
    /**
     * Checks the shape against the number of values.
     *
     * @throws IllegalArgumentException if an extent is negative or the shape has another number of values
     */
    public Tensor {
        long size = 1;
        for (int extent : shape) {
            if (extent < 0) {
                throw new IllegalArgumentException("negative extent in the shape " + Arrays.toString(shape));
            }
            size = Math.multiplyExact(size, (long) extent);
        }
        if (size != values.length) {
            throw new IllegalArgumentException(
                    "the shape " + Arrays.toString(shape) + " has " + size + " values, not " + values.length);
        }
    }

    /**
     * {@return a tensor of this shape}
     *
     * @param values the numbers in row-major order; not copied
     * @param shape the extent of each dimension; not copied
     * @throws IllegalArgumentException if an extent is negative or the shape has another number of values
     */
    public static Tensor of(float[] values, int... shape) {
        return new Tensor(shape, values);
    }
}
