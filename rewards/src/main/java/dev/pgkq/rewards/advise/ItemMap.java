package dev.pgkq.rewards.advise;

import static dev.pgkq.linalg.Blas.Transpose.NO;
import static dev.pgkq.linalg.Blas.Transpose.YES;

import dev.pgkq.advise.Items;
import dev.pgkq.linalg.Blas;
import dev.pgkq.linalg.SymmetricEigen;
import java.util.Optional;

/**
 * Points in the plane whose distances approximate those between items best: the two leading principal components of what describes
 * them, f_j = Σ_t ẑ_t. Here ẑ are the features of a step, shifted and scaled to mean 0 and variance 1 over the round. The
 * sign of a component is arbitrary.
 *
 * @param x first component of each item
 * @param y second component of each item
 * @param shares the fraction of the total variance that each component explains
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ItemMap(double[] x, double[] y, double[] shares) {
    /** The smaller of the numbers of items and features is at most this; more would take many seconds. */
    static final int MOST = 2048;

    /** The map of items; empty if there are too many of them. */
    static Optional<ItemMap> of(Items items) {
        int size = items.size();
        int width = items.width();
        if (Math.min(size, width) > MOST) {
            return Optional.empty();
        }
        double[] rows = centred(sums(items), size, width);
        double total = 0;
        for (double value : rows) {
            total += value * value;
        }
        boolean byItem = size <= width;
        int n = byItem ? size : width;
        double[] products = new double[n * n];
        if (byItem) {
            Blas.best().multiply(NO, YES, n, n, width, rows, 0, rows, 0, 0, products, 0);
        } else {
            Blas.best().multiply(YES, NO, n, n, size, rows, 0, rows, 0, 0, products, 0);
        }
        SymmetricEigen eigen = SymmetricEigen.largest(products, n, Math.min(2, n));
        double[][] components = new double[2][size];
        double[] shares = new double[2];
        for (int c = 0; c < eigen.values().length; c++) {
            double value = Math.max(0, eigen.values()[c]);
            double[] vector = eigen.vectors()[c];
            for (int j = 0; j < size; j++) {
                components[c][j] = byItem ? Math.sqrt(value) * vector[j] : along(rows, j, vector);
            }
            shares[c] = total > 0 ? value / total : 0;
        }
        return Optional.of(new ItemMap(components[0], components[1], shares));
    }

    private static double along(double[] rows, int item, double[] direction) {
        double sum = 0;
        for (int i = 0; i < direction.length; i++) {
            sum += rows[item * direction.length + i] * direction[i];
        }
        return sum;
    }

    /** Σ_t ẑ_t of every item, row by row. */
    private static double[] sums(Items items) {
        int width = items.width();
        float[] features = items.features();
        double[] mean = new double[width];
        double[] square = new double[width];
        int steps = features.length / width;
        for (int i = 0; i < features.length; i++) {
            mean[i % width] += (double) features[i] / steps;
        }
        for (int i = 0; i < features.length; i++) {
            double difference = features[i] - mean[i % width];
            square[i % width] += difference * difference / steps;
        }
        double[] sums = new double[items.size() * width];
        for (int j = 0; j < items.size(); j++) {
            for (int t = items.starts()[j]; t < items.starts()[j + 1]; t++) {
                for (int i = 0; i < width; i++) {
                    double scale = square[i] > 0 ? 1 / Math.sqrt(square[i]) : 0;
                    sums[j * width + i] += scale * (features[t * width + i] - mean[i]);
                }
            }
        }
        return sums;
    }

    private static double[] centred(double[] rows, int size, int width) {
        double[] mean = new double[width];
        for (int i = 0; i < rows.length; i++) {
            mean[i % width] += rows[i] / size;
        }
        for (int i = 0; i < rows.length; i++) {
            rows[i] -= mean[i % width];
        }
        return rows;
    }
}
