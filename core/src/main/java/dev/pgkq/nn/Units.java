package dev.pgkq.nn;

/**
 * The units of a function's values: a value y is y = offset + scale · u, and u is what a network learns. Adam's steps have a
 * size of their own, so a network learns well only if its targets have mean 0 and variance 1.
 *
 * @param offset value of u = 0
 * @param scale size of u = 1; 0 if all values seen so far are equal
 */
public record Units(double offset, double scale) {
    /** The values themselves. */
    public static final Units RAW = new Units(0, 1);
    /** Nothing is known about the values yet. */
    public static final Units UNKNOWN = new Units(0, 0);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is not finite, or the scale is negative
     */
    public Units {
        if (!Double.isFinite(offset) || !(scale >= 0) || Double.isInfinite(scale)) {
            throw new IllegalArgumentException("units must be finite, got offset " + offset + " and scale " + scale);
        }
    }

    /**
     * {@return the value of y in these units; 0 if the scale is 0}
     *
     * @param value y, or a sum of values
     * @param count how many values are in the sum, or the sum of their coefficients; 1 for a single value
     */
    double standardize(double value, double count) {
        return scale > 0 ? (value - offset * count) / scale : 0;
    }

    float[] standardize(float[] values) {
        float[] standard = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            standard[i] = (float) standardize(values[i], 1);
        }
        return standard;
    }
}
