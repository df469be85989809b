package dev.pgkq.benchmarks;

import dev.pgkq.random.RandomStream;

/**
 * The kernel of periodic functions on the unit cube with s derivatives in each coordinate,
 *
 * <pre>
 *   k(x, y) = Π_d (1 + (−1)^{s−1} (2π)^{2s} / (2s)! · B_{2s}(|x_d − y_d|)),   B the Bernoulli polynomials.
 * </pre>
 *
 * The integral of k(x, ·) over the cube is 1 for every x, so the error of a rule for the Lebesgue measure is known exactly:
 * wce² = 1 − 2 Σ w_i + wᵀ K w.
 *
 * @param dimension d of the cube
 * @param smoothness s, 1 or 3
 */
record Sobolev(int dimension, int smoothness) {
    private static final double SQUARE = Math.PI * Math.PI;
    private static final double FIRST = 2 * SQUARE;
    private static final double THIRD = 4 * SQUARE * SQUARE * SQUARE / 45;

    Sobolev {
        if (dimension < 1 || (smoothness != 1 && smoothness != 3)) {
            throw new IllegalArgumentException("d = " + dimension + ", s = " + smoothness);
        }
    }

    double at(double[] x, double[] y) {
        double product = 1;
        for (int d = 0; d < dimension; d++) {
            double t = Math.abs(x[d] - y[d]);
            product *= smoothness == 1
                    ? 1 + FIRST * (t * (t - 1) + 1.0 / 6)
                    : 1 + THIRD * (t * t * (t * t * (t * (t - 3) + 2.5) - 0.5) + 1.0 / 42);
        }
        return product;
    }

    /** Uniform points on the cube. */
    double[][] uniform(int count, RandomStream random) {
        double[][] points = new double[count][dimension];
        for (double[] point : points) {
            for (int d = 0; d < dimension; d++) {
                point[d] = random.nextDouble();
            }
        }
        return points;
    }

    /** Kernel values, one row for each x. */
    double[] between(double[][] xs, double[][] ys) {
        double[] values = new double[xs.length * ys.length];
        for (int i = 0; i < xs.length; i++) {
            for (int j = 0; j < ys.length; j++) {
                values[i * ys.length + j] = at(xs[i], ys[j]);
            }
        }
        return values;
    }

    /** wce² for the Lebesgue measure. */
    double squaredError(double[][] points, double[] weights) {
        double sum = 1;
        for (int a = 0; a < points.length; a++) {
            sum -= 2 * weights[a];
            for (int b = 0; b < points.length; b++) {
                sum += weights[a] * weights[b] * at(points[a], points[b]);
            }
        }
        return sum;
    }
}
