package dev.pgkq.statistics;

/**
 * Mean and standard deviation of a sample.
 *
 * @param count number of values
 * @param mean their mean
 * @param deviation their standard deviation, with n − 1
 */
public record Statistics(int count, double mean, double deviation) {
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

    public double standardError() {
        return deviation / Math.sqrt(count);
    }
}
