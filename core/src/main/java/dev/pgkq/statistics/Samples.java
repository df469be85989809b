package dev.pgkq.statistics;

import java.util.Arrays;
import java.util.List;

/** Plain statistics of a handful of values. */
public final class Samples {
    private Samples() {}

    /** NaN of nothing. */
    public static double mean(double... values) {
        return values.length == 0 ? Double.NaN : Statistics.of(values).mean();
    }

    /** The standard deviation, with n − 1, over √n. NaN of fewer than two: one value tells nothing of its error. */
    public static double standardError(double... values) {
        return values.length < 2 ? Double.NaN : Statistics.of(values).standardError();
    }

    /** The quantile of that share, between neighbours by linear interpolation; the half is the median. */
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

    public static double median(double... values) {
        return quantile(values, 0.5);
    }

    /**
     * The interquartile mean: what is left of the mean when the lowest and the highest quarter of the values are cut off.
     * Of n values ⌊n/4⌋ go at either end, so of three or fewer it is the mean [1].
     *
     * <p>[1] R. Agarwal et al.: Deep reinforcement learning at the edge of the statistical precipice. NeurIPS 2021.
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

    /** The interquartile mean of several samples thrown together. */
    public static double interquartileMean(List<double[]> samples) {
        return interquartileMean(pooled(samples));
    }
}
