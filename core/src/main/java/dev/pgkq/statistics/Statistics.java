package dev.pgkq.statistics;

/**
 * Mean and spread of a sample.
 *
 * @param count number of values
 * @param mean their mean
 * @param deviation their standard deviation, with n − 1
 */
public record Statistics(int count, double mean, double deviation) {
    /**
     * Computes the statistics of a sample.
     *
     * @param values the sample
     * @return mean NaN for no values; deviation 0 for fewer than two
     */
    public static Statistics of(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        double mean = sum / values.length;
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        double deviation = values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0;
        return new Statistics(values.length, mean, deviation);
    }

    /** {@return the standard error of the mean} */
    public double standardError() {
        return deviation / Math.sqrt(count);
    }
}
