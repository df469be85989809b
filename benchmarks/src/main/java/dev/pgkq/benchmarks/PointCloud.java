package dev.pgkq.benchmarks;

import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.random.RandomStream;

/** Kernel matrices of random points. */
final class PointCloud {
    private PointCloud() {}

    /** Standard normal points with the kernel exp(−‖x − y‖² / scale), and {@code noise} added to the diagonal. */
    static GramMatrix gaussian(int size, int dimension, double scale, double noise, RandomStream random) {
        double[][] points = new double[size][dimension];
        for (double[] point : points) {
            for (int d = 0; d < dimension; d++) {
                point[d] = random.nextGaussian();
            }
        }
        double[] values = new double[size * size];
        for (int i = 0; i < size; i++) {
            values[i * size + i] = 1 + noise;
            for (int j = 0; j < i; j++) {
                double square = 0;
                for (int d = 0; d < dimension; d++) {
                    double distance = points[i][d] - points[j][d];
                    square += distance * distance;
                }
                values[i * size + j] = Math.exp(-square / scale);
                values[j * size + i] = values[i * size + j];
            }
        }
        return GramMatrix.of(values);
    }

    /** Uniform points on the unit cube with a Sobolev kernel. */
    static GramMatrix sobolev(int size, Sobolev kernel, RandomStream random) {
        double[][] points = kernel.uniform(size, random);
        return GramMatrix.of(kernel.between(points, points));
    }
}
