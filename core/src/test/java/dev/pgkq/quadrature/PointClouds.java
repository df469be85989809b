package dev.pgkq.quadrature;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;

/** Kernel matrices for tests. */
final class PointClouds {
    private PointClouds() {}

    static RandomStream stream(long... key) {
        return RandomStream.of(11, Purpose.CHECK, key);
    }

    /** Standard normal points, row by row. */
    static double[] normal(int size, int dimension, RandomStream random) {
        double[] points = new double[size * dimension];
        for (int i = 0; i < points.length; i++) {
            points[i] = random.nextGaussian();
        }
        return points;
    }

    /** exp(−‖x − y‖² / scale), with {@code noise} more on the diagonal. */
    static GramMatrix gaussian(double[] points, int dimension, double scale, double noise) {
        int size = points.length / dimension;
        double[] values = new double[size * size];
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                double square = 0;
                for (int d = 0; d < dimension; d++) {
                    double distance = points[i * dimension + d] - points[j * dimension + d];
                    square += distance * distance;
                }
                values[i * size + j] = Math.exp(-square / scale) + (i == j ? noise : 0);
            }
        }
        return GramMatrix.of(values);
    }

    /** Inner products of given features. */
    static GramMatrix linear(double[] features, int dimension) {
        int size = features.length / dimension;
        double[] values = new double[size * size];
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                for (int d = 0; d < dimension; d++) {
                    values[i * size + j] += features[i * dimension + d] * features[j * dimension + d];
                }
            }
        }
        return GramMatrix.of(values);
    }

    static GramMatrix permuted(GramMatrix gram, int[] order) {
        int size = gram.size();
        double[] values = new double[size * size];
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                values[i * size + j] = gram.at(order[i], order[j]);
            }
        }
        return GramMatrix.of(values);
    }
}
