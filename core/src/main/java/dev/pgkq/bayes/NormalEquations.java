package dev.pgkq.bayes;

import static dev.pgkq.linalg.Blas.Transpose.NO;
import static dev.pgkq.linalg.Blas.Transpose.YES;

import dev.pgkq.linalg.Blas;
import dev.pgkq.parallel.Workers;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;

/**
 * The sums that a linear regression of y on φ needs: Φᵀ Φ, Φᵀ y, yᵀ y and the number of rows.
 *
 * @param features d, the size of φ
 * @param products Φᵀ Φ, d × d
 * @param moments Φᵀ y
 * @param squares yᵀ y
 * @param rows the number of observations
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NormalEquations(int features, double[] products, double[] moments, double squares, long rows) {
    /** Rows of a matrix product. */
    private static final int CHUNK = 256;

    /** Rows that one task adds up; the parts are added in their order, so that the bits do not depend on threads. */
    private static final int PART = 4096;

    /** A column whose variance is below this share of its mean square is constant. */
    private static final double CONSTANT = 1e-10;

    /** A smaller share of the mean square of y is rounding. */
    private static final double NOTHING = 1e-13;

    /**
     * {@return the sums of no rows}
     *
     * @param features d
     */
    public static NormalEquations none(int features) {
        return new NormalEquations(features, new double[features * features], new double[features], 0, 0);
    }

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
        NormalEquations sums = none(features);
        for (int part = 0; part < parts; part++) {
            accumulate(products[part], sums.products);
            accumulate(moments[part], sums.moments);
        }
        double squares = 0;
        for (double value : values) {
            squares += value * value;
        }
        return new NormalEquations(features, sums.products, sums.moments, squares, values.length);
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

    /**
     * A regression with an intercept that nothing is known about a priori: y = c + φᵀ w is y − ȳ = (φ − φ̄)ᵀ w.
     *
     * @param centre φ̄; 0 for features that do not vary, which are as well known as the intercept
     * @param mean ȳ
     * @param sums of what is left, with one row fewer
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Centred(double[] centre, double mean, NormalEquations sums) {}

    /** {@return the sums around the means, if the last feature is 1 in every row; that feature is left out} */
    public Centred centred() {
        int d = features - 1;
        double[] centre = new double[d];
        double[] around = new double[d * d];
        double[] left = new double[d];
        if (rows == 0) {
            return new Centred(centre, 0, none(d));
        }
        double mean = moments[d] / rows;
        boolean[] varies = new boolean[d];
        for (int j = 0; j < d; j++) {
            double average = products[j * features + d] / rows;
            double square = products[j * features + j] / rows;
            varies[j] = square - average * average > CONSTANT * square;
            centre[j] = varies[j] ? average : 0;
        }
        for (int j = 0; j < d; j++) {
            // Σ (φ_j − centre_j)(y − ȳ) and Σ (φ_j − centre_j)(φ_k − centre_k)
            left[j] = varies[j] ? moments[j] - products[j * features + d] * mean : 0;
            for (int k = 0; k < d; k++) {
                around[j * d + k] =
                        varies[j] == varies[k] ? products[j * features + k] - rows * centre[j] * centre[k] : 0;
            }
        }
        double variance = Math.max(0, squares - rows * mean * mean);
        return new Centred(
                centre,
                mean,
                new NormalEquations(d, around, left, variance > NOTHING * squares ? variance : 0, rows - 1));
    }

    /**
     * {@return the sums of the same rows with y in larger units}
     *
     * @param exponent y is divided by 2 to this power
     */
    public NormalEquations inUnits(int exponent) {
        return new NormalEquations(
                features,
                products,
                Arrays.stream(moments)
                        .map(moment -> Math.scalb(moment, -exponent))
                        .toArray(),
                Math.scalb(squares, -2 * exponent),
                rows);
    }

    /** {@return the mean of ‖φ‖²; 0 without rows} */
    public double meanSquare() {
        double trace = 0;
        for (int j = 0; j < features; j++) {
            trace += products[j * features + j];
        }
        return rows > 0 ? trace / rows : 0;
    }

    /** {@return these sums, rounded to what a checkpoint holds} */
    public NormalEquations rounded() {
        return new NormalEquations(
                features,
                Arrays.stream(products).map(NormalEquations::round).toArray(),
                Arrays.stream(moments).map(NormalEquations::round).toArray(),
                round(squares),
                rows);
    }

    /** The sum of two floats, which has 48 bits. */
    private static double round(double value) {
        float high = (float) value;
        return (double) high + (float) (value - high);
    }

    /**
     * Adds {@linkplain #rounded rounded} sums to a checkpoint.
     *
     * @param name what the names of the entries start with
     * @param into the checkpoint
     */
    public void save(String name, Snapshot.Builder into) {
        double[] all = Arrays.copyOf(products, products.length + features + 1);
        System.arraycopy(moments, 0, all, products.length, features);
        all[all.length - 1] = squares;
        float[] high = new float[all.length];
        float[] low = new float[all.length];
        for (int i = 0; i < all.length; i++) {
            high[i] = (float) all[i];
            low[i] = (float) (all[i] - high[i]);
        }
        into.tensor(name + "/high", high, high.length);
        into.tensor(name + "/low", low, low.length);
        into.counter(name + "/rows", rows);
    }

    /**
     * {@return what {@link #save} saved}
     *
     * @param features d
     * @param name what the names of the entries start with
     * @param saved the checkpoint
     */
    public static NormalEquations restored(int features, String name, Snapshot saved) {
        int square = features * features;
        float[] high = saved.values(name + "/high", square + features + 1);
        float[] low = saved.values(name + "/low", square + features + 1);
        double[] all = new double[high.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = (double) high[i] + low[i];
        }
        return new NormalEquations(
                features,
                Arrays.copyOf(all, square),
                Arrays.copyOfRange(all, square, square + features),
                all[square + features],
                saved.counter(name + "/rows"));
    }
}
