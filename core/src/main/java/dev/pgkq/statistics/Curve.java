package dev.pgkq.statistics;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * A quantity y of one run as a function of a growing x, linear between its points. Points that are not finite or whose
 * x does not grow are left out.
 */
public final class Curve {
    private final double[] x;
    private final double[] y;

    private Curve(double[] x, double[] y) {
        this.x = x;
        this.y = y;
    }

    /**
     * Makes a curve of points.
     *
     * @param x in the order of the run
     * @param y of the same length
     * @return the curve through those points that are usable
     */
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

    /** {@return whether there are no points} */
    public boolean isEmpty() {
        return x.length == 0;
    }

    /** {@return the number of points} */
    public int size() {
        return x.length;
    }

    /** {@return the least x; the curve must not be empty} */
    public double first() {
        return x[0];
    }

    /** {@return the largest x; the curve must not be empty} */
    public double last() {
        return x[x.length - 1];
    }

    /** {@return a copy of all x} */
    public double[] x() {
        return x.clone();
    }

    /** {@return a copy of all y} */
    public double[] y() {
        return y.clone();
    }

    /**
     * Restricts the curve to an interval.
     *
     * @param low its lower end
     * @param high its upper end
     * @return the points with {@code low ≤ x ≤ high}
     */
    public Curve between(double low, double high) {
        int[] kept = IntStream.range(0, x.length)
                .filter(i -> x[i] >= low && x[i] <= high)
                .toArray();
        return new Curve(
                Arrays.stream(kept).mapToDouble(i -> x[i]).toArray(),
                Arrays.stream(kept).mapToDouble(i -> y[i]).toArray());
    }

    /**
     * Averages the values. Over iterations, which are evenly spaced, this is the area under the curve per iteration.
     *
     * @return the mean of all y; NaN if there are none
     */
    public double mean() {
        return Samples.mean(y);
    }

    /**
     * Evaluates the curve by linear interpolation. Beyond an end it is as high as at that end.
     *
     * @param place an x
     * @return the y there
     */
    public double at(double place) {
        int found = Arrays.binarySearch(x, place);
        if (found >= 0) {
            return y[found];
        }
        int above = -found - 1;
        if (above == 0 || above == x.length) {
            return y[above == 0 ? 0 : x.length - 1];
        }
        double share = (place - x[above - 1]) / (x[above] - x[above - 1]);
        return y[above - 1] + share * (y[above] - y[above - 1]);
    }

    /**
     * Averages the height from 0 to {@code end}: the area under the curve, in trapezoids, divided by {@code end}.
     * Before its first point and after its last the curve is as high as at that point.
     *
     * @param end of the interval
     * @return the mean height
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

    /**
     * Finds where the curve first reaches a threshold.
     *
     * @param threshold a height
     * @return the least x with a height of at least that; empty if there is none
     */
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
