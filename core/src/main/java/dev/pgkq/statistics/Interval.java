package dev.pgkq.statistics;

/**
 * An uncertainty interval. Both ends are NaN where it is unknown, for instance with a single seed.
 *
 * @param low the lower end
 * @param high the upper end
 */
public record Interval(double low, double high) {
    /** The interval of which nothing is known. */
    public static final Interval UNKNOWN = new Interval(Double.NaN, Double.NaN);

    /**
     * Makes a symmetric interval.
     *
     * @param value the middle
     * @param error half the width
     * @return value − error … value + error
     */
    public static Interval around(double value, double error) {
        return new Interval(value - error, value + error);
    }

    /** {@return whether both ends are known} */
    public boolean isKnown() {
        return !Double.isNaN(low) && !Double.isNaN(high);
    }
}
