package dev.pgkq.kernel;

import dev.pgkq.random.RandomStream;
import java.util.Arrays;

/** The numbers of steps, shifted to mean 0 and optionally scaled to standard deviation 1. */
final class NormalizedSteps {
    private final float[] values;
    private final int width;
    private final int count;
    private final double[] shifts;
    private final double[] scales;

    /**
     * @param values the steps, row by row
     * @param width numbers per row
     * @param standardized whether to scale each number to standard deviation 1
     */
    NormalizedSteps(float[] values, int width, boolean standardized) {
        this.values = values;
        this.width = width;
        this.count = values.length / width;
        this.shifts = new double[width];
        this.scales = new double[width];
        for (int k = 0; k < width; k++) {
            measure(k, standardized);
        }
    }

    /** Computes the shift and scale of a column. A constant column has scale 0, since its deviation is only rounding error. */
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

    /** The distance of a step from the mean. */
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
     * The median distance between the steps of a random sample. If more than half of the distances are 0, it is the median of
     * the others, and 1 if all are 0.
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

    /** All numbers multiplied by a factor, row by row. */
    float[] times(double factor) {
        float[] products = new float[values.length];
        for (int i = 0; i < products.length; i++) {
            products[i] = (float) (factor * at(i / width, i % width));
        }
        return products;
    }
}
