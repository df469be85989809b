package dev.pgkq.statistics;

/** Student's t distribution, for intervals of means of few values. */
public final class StudentT {
    private static final int PANELS = 2000;
    private static final double LARGEST = 1e6;

    private StudentT() {}

    /**
     * Computes the two-sided interval of a mean.
     *
     * @param values at least two independent ones
     * @param level probability that the interval covers the mean, such as 0.95
     * @return the interval around the mean of the values; infinite with fewer than two values
     */
    public static Interval ofMean(double[] values, double level) {
        Statistics statistics = Statistics.of(values);
        double half = values.length < 2
                ? Double.POSITIVE_INFINITY
                : quantile(values.length - 1, (1 + level) / 2) * statistics.standardError();
        return new Interval(statistics.mean() - half, statistics.mean() + half);
    }

    /**
     * Computes a quantile.
     *
     * @param degrees of freedom, at least 1; not necessarily a whole number
     * @param probability from 0.5 up to, but not including, 1
     * @return the t that is not exceeded with this probability
     */
    public static double quantile(double degrees, double probability) {
        double low = 0;
        double high = LARGEST;
        while (high - low > 1e-10 * (1 + low)) {
            double middle = 0.5 * (low + high);
            if (probabilityBelow(degrees, middle) < probability) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * P(T ≤ t) for t ≥ 0. With t = √ν tan φ the density is proportional to cos^{ν−1} φ, which is smooth on a bounded range;
     * Simpson's rule integrates it.
     */
    static double probabilityBelow(double degrees, double t) {
        double angle = Math.atan(t / Math.sqrt(degrees));
        return 0.5 + 0.5 * integral(degrees, angle) / integral(degrees, Math.PI / 2);
    }

    private static double integral(double degrees, double angle) {
        double step = angle / PANELS;
        double sum = 0;
        for (int i = 0; i <= PANELS; i++) {
            double factor = i == 0 || i == PANELS ? 1 : 2 + 2 * (i % 2);
            sum += factor * Math.pow(Math.cos(i * step), degrees - 1);
        }
        return sum * step / 3;
    }
}
