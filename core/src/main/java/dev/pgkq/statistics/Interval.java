package dev.pgkq.statistics;

/**
 * Where a number lies, give or take. Both ends are NaN where that is not known, for instance from a single seed.
 *
 * @param low the lower end
 * @param high the upper end
 */
public record Interval(double low, double high) {
    public static final Interval UNKNOWN = new Interval(Double.NaN, Double.NaN);

    /** The value plus and minus its error. */
    public static Interval around(double value, double error) {
        return new Interval(value - error, value + error);
    }

    public boolean isKnown() {
        return !Double.isNaN(low) && !Double.isNaN(high);
    }
}
