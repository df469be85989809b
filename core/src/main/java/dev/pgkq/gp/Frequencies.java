package dev.pgkq.gp;

import dev.pgkq.random.RandomStream;

/**
 * Random frequencies ω with E cos⟨ω, x − y⟩ = exp(−‖x − y‖² / 20): normal with variance 1/10 per coordinate, in blocks
 * of as many as there are coordinates. Within a block the directions are orthogonal, each uniform on the sphere, and
 * the lengths are independent. Every single ω has the same normal distribution as an independent one, but the mean of
 * the cosines has a smaller variance [1].
 *
 * <p>[1] F. Yu, A. Suresh, K. Choromanski, D. Holtmann-Rice, S. Kumar: Orthogonal random features. NIPS 2016.
 */
final class Frequencies {
    private Frequencies() {}

    /** ω / 2π, features × count, so that products with embeddings are angles in turns. */
    static float[] inTurns(int features, int count, RandomStream random) {
        double scale = Math.sqrt(2 / EpisodicGram.TWICE_SQUARED_LENGTH) / (2 * Math.PI);
        float[] frequencies = new float[features * count];
        for (int first = 0; first < count; first += features) {
            double[][] directions = orthonormal(features, random);
            for (int b = 0; b < features; b++) {
                double length = scale * norm(normal(features, random));
                for (int k = 0; k < features && first + b < count; k++) {
                    frequencies[k * count + first + b] = (float) (length * directions[b][k]);
                }
            }
        }
        return frequencies;
    }

    /** Gram–Schmidt on normal vectors; each is orthogonalised twice against rounding errors. */
    private static double[][] orthonormal(int n, RandomStream random) {
        double[][] vectors = new double[n][];
        for (int b = 0; b < n; b++) {
            double[] vector = normal(n, random);
            for (int again = 0; again < 2; again++) {
                for (int c = 0; c < b; c++) {
                    addMultiple(vector, -dot(vector, vectors[c]), vectors[c]);
                }
            }
            double norm = norm(vector);
            for (int k = 0; k < n; k++) {
                vector[k] /= norm;
            }
            vectors[b] = vector;
        }
        return vectors;
    }

    private static double[] normal(int n, RandomStream random) {
        double[] vector = new double[n];
        for (int k = 0; k < n; k++) {
            vector[k] = random.nextGaussian();
        }
        return vector;
    }

    private static double norm(double[] vector) {
        return Math.sqrt(dot(vector, vector));
    }

    private static double dot(double[] x, double[] y) {
        double sum = 0;
        for (int k = 0; k < x.length; k++) {
            sum += x[k] * y[k];
        }
        return sum;
    }

    private static void addMultiple(double[] x, double factor, double[] y) {
        for (int k = 0; k < x.length; k++) {
            x[k] += factor * y[k];
        }
    }
}
