package dev.pgkq.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The mean of several runs' curves with its standard error, on the range that all curves cover. It is computed at every
 * position at which one of the curves has a point, with the others interpolated linearly. If there are too many positions
 * for a figure, they are thinned out evenly.
 *
 * @param x the positions
 * @param mean the mean of the curves
 * @param error its standard error; NaN for a single curve
 * @param count number of curves
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record MeanCurve(double[] x, double[] mean, double[] error, int count) {
    private static final int MAX_POINTS = 200;

    /** The mean of the curves that have points. */
    public static MeanCurve of(List<Curve> curves) {
        List<Curve> used = curves.stream().filter(curve -> !curve.isEmpty()).toList();
        double low = used.stream().mapToDouble(Curve::first).max().orElse(0);
        double high = used.stream().mapToDouble(Curve::last).min().orElse(-1);
        if (low > high) {
            return new MeanCurve(new double[0], new double[0], new double[0], used.size());
        }
        double[] x = positions(used, low, high);
        double[] mean = new double[x.length];
        double[] error = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            double position = x[i];
            double[] values =
                    used.stream().mapToDouble(curve -> curve.at(position)).toArray();
            mean[i] = Samples.mean(values);
            error[i] = Samples.standardError(values);
        }
        return new MeanCurve(x, mean, error, used.size());
    }

    private static double[] positions(List<Curve> curves, double low, double high) {
        double[] all = curves.stream()
                .flatMapToDouble(curve -> Arrays.stream(curve.between(low, high).x()))
                .sorted()
                .distinct()
                .toArray();
        int longest = curves.stream().mapToInt(Curve::size).max().orElse(0);
        int max = Math.max(longest, MAX_POINTS);
        return all.length <= max
                ? all
                : IntStream.range(0, max)
                        .mapToDouble(i -> all[(int) ((long) i * (all.length - 1) / (max - 1))])
                        .toArray();
    }

    public boolean isEmpty() {
        return x.length == 0;
    }
}
