package dev.pgkq.kernel;

import dev.pgkq.random.RandomStream;
import java.util.Arrays;

/** The features of steps, shifted to mean 0 and scaled. */
final class ScaledSteps {
    private final float[] values;
    private final int width;
    private final int count;
    private final double[] shifts;
    private final double[] scales;

    /**
     * @param values row by row
     * @param width numbers of a row
     * @param standardized whether the unit is a number's standard deviation, or 1
     */
    ScaledSteps(float[] values, int width, boolean standardized) {
        this.values = values;
        this.width = width;
        this.count = values.length / width;
        this.shifts = new double[width];
        this.scales = new double[width];
        for (int k = 0; k < width; k++) {
            measure(k, standardized);
        }
    }

    /** A number that is always the same tells nothing; its deviation is 0 only up to rounding. */
    private void measure(int number, boolean standardized) {
        double sum = 0;
        boolean constant = true;
        for (int i = number; i < values.length; i += width) {
            sum += values[i];
            constant &= values[i] == values[number];
        }
        double mean = sum / count;
        double squares = 0;
        for (int i = number; i < values.length; i += width) {
            squares += (values[i] - mean) * (values[i] - mean);
        }
        shifts[number] = mean;
        scales[number] = constant ? 0 : standardized ? 1 / Math.sqrt(squares / count) : 1;
    }

    int count() {
        return count;
    }

    double at(int step, int number) {
        return (values[step * width + number] - shifts[number]) * scales[number];
    }

    /** The distance from the mean. */
    double distance(int step) {
        return norm(row(step), new double[width]);
    }

    private double[] row(int step) {
        double[] row = new double[width];
        Arrays.setAll(row, k -> at(step, k));
        return row;
    }

    private static double norm(double[] a, double[] b) {
        double squares = 0;
        for (int k = 0; k < a.length; k++) {
            squares += (a[k] - b[k]) * (a[k] - b[k]);
        }
        return Math.sqrt(squares);
    }

    /**
     * The median distance between steps of a random sample. Where more than half of the pairs are the same step it is that of
     * the others, and 1 where all are the same.
     */
    double medianDistance(int size, RandomStream random) {
        double[][] sample =
                Arrays.stream(random.subset(count, size)).mapToObj(this::row).toArray(double[][]::new);
        double[] distances = new double[sample.length * (sample.length - 1) / 2];
        int pairs = 0;
        for (int i = 0; i < sample.length; i++) {
            for (int j = 0; j < i; j++) {
                distances[pairs++] = norm(sample[i], sample[j]);
            }
        }
        double median = median(distances);
        return median > 0
                ? median
                : median(Arrays.stream(distances).filter(d -> d > 0).toArray());
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        int half = values.length / 2;
        return values.length == 0 ? 1 : values.length % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
    }

    /** All numbers times a factor, row by row. */
    float[] times(double factor) {
        float[] products = new float[values.length];
        for (int i = 0; i < products.length; i++) {
            products[i] = (float) (factor * at(i / width, i % width));
        }
        return products;
    }
}
