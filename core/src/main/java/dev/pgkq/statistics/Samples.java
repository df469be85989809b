package dev.pgkq.statistics;

import java.util.Arrays;
import java.util.List;

/** Statistics of a few values. */
public final class Samples {
    private Samples() {}

    /** The mean; NaN without values. */
    public static double mean(double... values) {
        return values.length == 0 ? Double.NaN : Statistics.of(values).mean();
    }

    /** The standard error of the mean: the standard deviation, with n − 1, divided by √n. NaN for fewer than two values. */
    public static double standardError(double... values) {
        return values.length < 2 ? Double.NaN : Statistics.of(values).standardError();
    }

    /** A quantile, interpolated linearly between neighbours; 0.5 gives the median. */
    public static double quantile(double[] values, double share) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double position = share * (sorted.length - 1);
        int below = (int) Math.floor(position);
        int above = Math.min(below + 1, sorted.length - 1);
        // infinite neighbours must not give NaN
        return position == below || sorted[below] == sorted[above]
                ? sorted[below]
                : sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }

    public static double median(double... values) {
        return quantile(values, 0.5);
    }

    /**
     * The interquartile mean [1]: the mean without the lowest and the highest quarter of the values. Of n values, ⌊n/4⌋ are
     * dropped at either end, so for three or fewer it is the mean.
     *
     * <p>[1] R. Agarwal et al.: Deep reinforcement learning at the edge of the statistical precipice. NeurIPS 2021.
     */
    public static double interquartileMean(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int cut = sorted.length / 4;
        return mean(Arrays.copyOfRange(sorted, cut, sorted.length - cut));
    }

    /** All values of several samples. */
    static double[] pooled(List<double[]> samples) {
        return samples.stream().flatMapToDouble(Arrays::stream).toArray();
    }

    /** The interquartile mean of the pooled samples. */
    public static double interquartileMean(List<double[]> samples) {
        return interquartileMean(pooled(samples));
    }
}
