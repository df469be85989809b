package dev.pgkq.statistics;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * A quantity of one run as a piecewise linear function of an increasing variable. Points that are not finite, and points
 * whose x does not increase, are dropped.
 */
public final class Curve {
    private final double[] x;
    private final double[] y;

    private Curve(double[] x, double[] y) {
        this.x = x;
        this.y = y;
    }

    public static Curve of(double[] x, double[] y) {
        double[] forward = new double[x.length];
        double[] values = new double[x.length];
        int size = 0;
        for (int i = 0; i < x.length; i++) {
            boolean ahead = size == 0 || x[i] > forward[size - 1];
            if (Double.isFinite(x[i]) && Double.isFinite(y[i]) && ahead) {
                forward[size] = x[i];
                values[size] = y[i];
                size++;
            }
        }
        return new Curve(Arrays.copyOf(forward, size), Arrays.copyOf(values, size));
    }

    public boolean isEmpty() {
        return x.length == 0;
    }

    public int size() {
        return x.length;
    }

    public double first() {
        return x[0];
    }

    public double last() {
        return x[x.length - 1];
    }

    public double[] x() {
        return x.clone();
    }

    public double[] y() {
        return y.clone();
    }

    /** The points with {@code low ≤ x ≤ high}. */
    public Curve between(double low, double high) {
        int[] kept = IntStream.range(0, x.length)
                .filter(i -> x[i] >= low && x[i] <= high)
                .toArray();
        return new Curve(
                Arrays.stream(kept).mapToDouble(i -> x[i]).toArray(),
                Arrays.stream(kept).mapToDouble(i -> y[i]).toArray());
    }

    /**
     * The mean of the values; NaN if there are none. Over iterations, which are evenly spaced, this is the area under the
     * curve per iteration.
     */
    public double mean() {
        return Samples.mean(y);
    }

    /** The value at a position, by linear interpolation. Beyond an end it is the value at that end. */
    public double at(double position) {
        int found = Arrays.binarySearch(x, position);
        if (found >= 0) {
            return y[found];
        }
        int above = -found - 1;
        if (above == 0 || above == x.length) {
            return y[above == 0 ? 0 : x.length - 1];
        }
        double share = (position - x[above - 1]) / (x[above] - x[above - 1]);
        return y[above - 1] + share * (y[above] - y[above - 1]);
    }

    /**
     * The mean value from 0 to {@code end}: the area under the curve divided by {@code end}. The curve is constant before its
     * first and after its last point, and linear between points, so the area is a sum of trapezoids.
     */
    public double meanUpTo(double end) {
        double area = 0;
        double from = 0;
        for (int i = 0; i < x.length && x[i] < end; i++) {
            area += (x[i] - from) * (at(from) + y[i]) / 2;
            from = x[i];
        }
        return (area + (end - from) * (at(from) + at(end)) / 2) / end;
    }

    /** The first position at which the curve reaches the threshold; empty if it never does. */
    public OptionalDouble firstReaching(double threshold) {
        for (int i = 0; i < x.length; i++) {
            if (y[i] >= threshold) {
                double share = i == 0 ? 1 : (threshold - y[i - 1]) / (y[i] - y[i - 1]);
                return OptionalDouble.of(i == 0 ? x[0] : x[i - 1] + share * (x[i] - x[i - 1]));
            }
        }
        return OptionalDouble.empty();
    }
}
