package dev.pgkq.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The mean of several runs' curves and its standard error, on the range that all of them cover. It has a point wherever
 * one of the curves has one; the others are interpolated linearly. More points than a figure can show are thinned out.
 *
 * @param x the places
 * @param mean the mean of the curves there
 * @param error its standard error; NaN for a single curve
 * @param count number of curves
 */
@SuppressWarnings("ArrayRecordComponent") // an inner value of figures and files, never compared
public record MeanCurve(double[] x, double[] mean, double[] error, int count) {
    private static final int MOST_POINTS = 200;

    /**
     * Averages curves. Those without points are left out.
     *
     * @param curves one a run
     * @return their mean; without points where the curves have no common range
     */
    public static MeanCurve of(List<Curve> curves) {
        List<Curve> used = curves.stream().filter(curve -> !curve.isEmpty()).toList();
        double low = used.stream().mapToDouble(Curve::first).max().orElse(0);
        double high = used.stream().mapToDouble(Curve::last).min().orElse(-1);
        if (low > high) {
            return new MeanCurve(new double[0], new double[0], new double[0], used.size());
        }
        double[] x = places(used, low, high);
        double[] mean = new double[x.length];
        double[] error = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            double place = x[i];
            double[] values =
                    used.stream().mapToDouble(curve -> curve.at(place)).toArray();
            mean[i] = Samples.mean(values);
            error[i] = Samples.standardError(values);
        }
        return new MeanCurve(x, mean, error, used.size());
    }

    private static double[] places(List<Curve> curves, double low, double high) {
        double[] all = curves.stream()
                .flatMapToDouble(curve -> Arrays.stream(curve.between(low, high).x()))
                .sorted()
                .distinct()
                .toArray();
        int longest = curves.stream().mapToInt(Curve::size).max().orElse(0);
        int most = Math.max(longest, MOST_POINTS);
        return all.length <= most
                ? all
                : IntStream.range(0, most)
                        .mapToDouble(i -> all[(int) ((long) i * (all.length - 1) / (most - 1))])
                        .toArray();
    }

    /** {@return whether there are no points} */
    public boolean isEmpty() {
        return x.length == 0;
    }
}
