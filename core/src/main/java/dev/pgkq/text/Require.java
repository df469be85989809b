package dev.pgkq.text;

/** Argument checks for settings records; a failed check names the argument, what it has to be and what it was. */
public final class Require {
    private Require() {}

    /** Throws an {@link IllegalArgumentException} with this message unless the condition holds. */
    public static void that(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Requires {@code value >= least}. */
    public static void atLeast(int least, String name, int value) {
        that(value >= least, name + " must be at least " + least + ", got " + value);
    }

    /** Requires a finite number above 0. */
    public static void positive(String name, double value) {
        that(value > 0 && value < Double.POSITIVE_INFINITY, name + " must be a finite number above 0, got " + value);
    }

    /** Requires a finite number of at least 0. */
    public static void notNegative(String name, double value) {
        that(
                value >= 0 && value < Double.POSITIVE_INFINITY,
                name + " must be a finite number of at least 0, got " + value);
    }

    /** Requires a finite number. */
    public static void finite(String name, double value) {
        that(Double.isFinite(value), name + " must be a finite number, got " + value);
    }
}
