package dev.pgkq.statistics;

/**
 * An interval around a number. Both ends are NaN if the interval is unknown, for instance for a single seed.
 *
 * @param low the lower end
 * @param high the upper end
 */
public record Interval(double low, double high) {
    public static final Interval UNKNOWN = new Interval(Double.NaN, Double.NaN);

    /** The interval from value − error to value + error. */
    public static Interval around(double value, double error) {
        return new Interval(value - error, value + error);
    }

    public boolean isKnown() {
        return !Double.isNaN(low) && !Double.isNaN(high);
    }
}
