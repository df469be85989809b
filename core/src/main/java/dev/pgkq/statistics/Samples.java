package dev.pgkq.statistics;

import java.util.Arrays;
import java.util.List;

/** Simple statistics of a few values. */
public final class Samples {
    private Samples() {}

    /**
     * Averages values.
     *
     * @param values any number of them
     * @return their mean; NaN if there are none
     */
    public static double mean(double... values) {
        return values.length == 0 ? Double.NaN : Statistics.of(values).mean();
    }

    /**
     * Estimates the standard error of the mean: the standard deviation, with n − 1, divided by √n.
     *
     * @param values any number of them
     * @return the standard error; NaN for fewer than two values
     */
    public static double standardError(double... values) {
        return values.length < 2 ? Double.NaN : Statistics.of(values).standardError();
    }

    /**
     * Finds a quantile, with linear interpolation between neighbours.
     *
     * @param values any number of them, in any order
     * @param share of the values that lie below, from 0 to 1
     * @return the quantile; NaN if there are no values
     */
    public static double quantile(double[] values, double share) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double place = share * (sorted.length - 1);
        int below = (int) Math.floor(place);
        int above = Math.min(below + 1, sorted.length - 1);
        // Infinite neighbours must not turn into NaN.
        return place == below || sorted[below] == sorted[above]
                ? sorted[below]
                : sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }

    /**
     * Finds the median.
     *
     * @param values any number of them, in any order
     * @return the median; NaN if there are no values
     */
    public static double median(double... values) {
        return quantile(values, 0.5);
    }

    /**
     * Computes the interquartile mean [1]: the mean without the lowest and the highest ⌊n/4⌋ of n values. For three
     * values or fewer it is the mean.
     *
     * <p>[1] R. Agarwal et al.: Deep reinforcement learning at the edge of the statistical precipice. NeurIPS 2021.
     *
     * @param values any number of them, in any order
     * @return the interquartile mean; NaN if there are no values
     */
    public static double interquartileMean(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int cut = sorted.length / 4;
        return mean(Arrays.copyOfRange(sorted, cut, sorted.length - cut));
    }

    /** All values of several samples, as one. */
    static double[] pooled(List<double[]> samples) {
        return samples.stream().flatMapToDouble(Arrays::stream).toArray();
    }

    /**
     * Computes the interquartile mean of several samples pooled into one.
     *
     * @param samples any number of them
     * @return the interquartile mean of all values
     */
    public static double interquartileMean(List<double[]> samples) {
        return interquartileMean(pooled(samples));
    }
}
