package dev.pgkq.bayes;

import static dev.pgkq.linalg.Blas.Transpose.NO;
import static dev.pgkq.linalg.Blas.Transpose.YES;

import dev.pgkq.linalg.Blas;
import dev.pgkq.parallel.Workers;

/**
 * The sums that a linear regression of y on φ needs: Φᵀ Φ, Φᵀ y, yᵀ y and the number of rows.
 *
 * @param features d, the size of φ
 * @param products Φᵀ Φ, d × d
 * @param moments Φᵀ y
 * @param squares yᵀ y
 * @param rows the number of observations, less those that were spent on the intercept
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NormalEquations(int features, double[] products, double[] moments, double squares, long rows) {
    /** Rows of a matrix product. */
    private static final int CHUNK = 256;

    /** Rows that one task adds up; the parts are added in their order, so that the bits do not depend on threads. */
    private static final int PART = 4096;

    /**
     * Adds up the rows of a regression.
     *
     * @param features d
     * @param inputs φ, row by row
     * @param values y of each row
     * @param workers share the rows; the bits do not depend on their number
     * @return the sums
     */
    public static NormalEquations of(int features, float[] inputs, double[] values, Workers workers) {
        int parts = Math.ceilDiv(values.length, PART);
        double[][] products = new double[parts][];
        double[][] moments = new double[parts][];
        workers.run(parts, (worker, part) -> {
            products[part] = new double[features * features];
            moments[part] = new double[features];
            int end = Math.min(values.length, (part + 1) * PART);
            add(features, inputs, values, part * PART, end, products[part], moments[part]);
        });
        double[] allProducts = new double[features * features];
        double[] allMoments = new double[features];
        for (int part = 0; part < parts; part++) {
            accumulate(products[part], allProducts);
            accumulate(moments[part], allMoments);
        }
        double squares = 0;
        for (double value : values) {
            squares += value * value;
        }
        return new NormalEquations(features, allProducts, allMoments, squares, values.length);
    }

    private static void add(
            int features, float[] inputs, double[] values, int from, int to, double[] products, double[] moments) {
        Blas blas = Blas.best();
        double[] rows = new double[CHUNK * features];
        for (int start = from; start < to; start += CHUNK) {
            int count = Math.min(CHUNK, to - start);
            for (int i = 0; i < count * features; i++) {
                rows[i] = inputs[start * features + i];
            }
            blas.multiply(YES, NO, features, features, count, rows, 0, rows, 0, 1, products, 0);
            for (int r = 0; r < count; r++) {
                double value = values[start + r];
                for (int j = 0; j < features; j++) {
                    moments[j] += rows[r * features + j] * value;
                }
            }
        }
    }

    private static void accumulate(double[] part, double[] into) {
        for (int i = 0; i < part.length; i++) {
            into[i] += part[i];
        }
    }

    /**
     * {@return the sums of these rows and others}
     *
     * @param more sums with features of the same size
     */
    public NormalEquations plus(NormalEquations more) {
        double[] allProducts = products.clone();
        double[] allMoments = moments.clone();
        accumulate(more.products, allProducts);
        accumulate(more.moments, allMoments);
        return new NormalEquations(features, allProducts, allMoments, squares + more.squares, rows + more.rows);
    }

    /** {@return the mean of ‖φ‖²; 0 without rows} */
    public double meanSquare() {
        double trace = 0;
        for (int j = 0; j < features; j++) {
            trace += products[j * features + j];
        }
        return rows > 0 ? trace / rows : 0;
    }
}
