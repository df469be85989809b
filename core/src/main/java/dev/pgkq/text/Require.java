package dev.pgkq.text;

/** Argument checks for settings records; a failed check names the argument, what it has to be and what it was. */
public final class Require {
    private Require() {}

    /**
     * Requires that a condition holds.
     *
     * @param condition the condition
     * @param message of the exception
     * @throws IllegalArgumentException with this message if the condition is false
     */
    public static void that(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /**
     * Requires {@code value >= least}.
     *
     * @param least the smallest allowed value
     * @param name of the argument
     * @param value of the argument
     * @throws IllegalArgumentException if the value is smaller
     */
    public static void atLeast(int least, String name, int value) {
        that(value >= least, name + " must be at least " + least + ", got " + value);
    }

    /**
     * Requires a finite number above 0.
     *
     * @param name of the argument
     * @param value of the argument
     * @throws IllegalArgumentException if the value is 0, negative, infinite or NaN
     */
    public static void positive(String name, double value) {
        that(value > 0 && value < Double.POSITIVE_INFINITY, name + " must be a finite number above 0, got " + value);
    }

    /**
     * Requires a finite number of at least 0.
     *
     * @param name of the argument
     * @param value of the argument
     * @throws IllegalArgumentException if the value is negative, infinite or NaN
     */
    public static void notNegative(String name, double value) {
        that(
                value >= 0 && value < Double.POSITIVE_INFINITY,
                name + " must be a finite number of at least 0, got " + value);
    }

    /**
     * Requires a finite number.
     *
     * @param name of the argument
     * @param value of the argument
     * @throws IllegalArgumentException if the value is infinite or NaN
     */
    public static void finite(String name, double value) {
        that(Double.isFinite(value), name + " must be a finite number, got " + value);
    }
}
