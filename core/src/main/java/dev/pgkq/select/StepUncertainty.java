package dev.pgkq.select;

import static dev.pgkq.linalg.Blas.Transpose.NO;
import static dev.pgkq.linalg.Blas.Transpose.YES;

import dev.pgkq.bayes.Posterior;
import dev.pgkq.linalg.Blas;
import dev.pgkq.linalg.Cholesky;
import dev.pgkq.linalg.SymmetricEigen;
import dev.pgkq.parallel.Workers;
import java.util.Arrays;

/**
 * The uncertainty where the reward of every step of a paid episode is known, r = m + φᵀ w + ε, and the rewards of the others are
 * estimated by their posterior mean. With A_e = Σ_t φ_t v_tᵀ, C_e = Σ_t φ_t φ_tᵀ, q_e = Σ_t ‖v_t‖² and S the chosen episodes, the
 * expected squared error of the gradient is
 *
 * <pre>
 *   σ² [tr(Bᵀ (P + Σ_{e ∈ S} C_e)⁻¹ B) + Σ_{e ∉ S} q_e],   B = Σ_{e ∉ S} A_e.
 * </pre>
 *
 * <p>All of this is in coordinates in which P is the identity. Episodes are compared in the leading directions of the A_e only; the
 * error of the episode that is best there is computed in full.
 */
final class StepUncertainty implements GradientUncertainty {
    private final int episodes;
    private final int directions;
    private final int dimensions;
    private final Workers workers;

    private final int width;
    private final int[] starts;
    private final float[] features;
    private final double[] whitening;

    /** A_e, width × dimensions. */
    private final double[][] whole;

    /** A_e, directions × dimensions, in the leading directions. */
    private final double[][] gradients;

    /** C_e in the leading directions. */
    private final double[][] observed;

    /** A_e in all other directions. */
    private final double[][] others;

    private final double[] noise;
    private final double[] variances;
    private final boolean[] chosen;

    /** P and what the chosen episodes add to it, in all directions and in the leading ones. */
    private double[] precision;

    private final double[] leadingPrecision;

    /** Σ A_e over the episodes that are not chosen, in all directions, in the leading ones and in the others. */
    private final double[] left;

    private final double[] leadingLeft;
    private final double[] outside;

    /** Σ q_e over the episodes that are not chosen. */
    private double unexplained;

    private double now;

    /** The episode that was looked at last, with what it would change; −1 if there is none. */
    private int candidate = -1;

    private double[] candidatePrecision = {};
    private double candidateError;

    /**
     * @param starts where each episode's steps start, and where the last one ends
     * @param features φ of every step, row by row
     * @param credits v of every step, row by row
     * @param dimensions size of v
     * @param most the most directions to keep
     */
    StepUncertainty(
            Posterior posterior,
            int[] starts,
            float[] features,
            float[] credits,
            int dimensions,
            int most,
            Workers workers) {
        this.width = posterior.features();
        this.starts = starts;
        this.features = features;
        this.episodes = starts.length - 1;
        this.dimensions = dimensions;
        this.directions = Math.min(most, width);
        this.workers = workers;
        this.whitening = posterior.whitening();
        this.whole = new double[episodes][];
        this.noise = new double[episodes];
        this.variances = new double[episodes];
        workers.run(episodes, (worker, e) -> {
            whole[e] = whitened(whitening, sum(starts, e, features, width, credits, dimensions), width, dimensions);
            for (int i = starts[e] * dimensions; i < starts[e + 1] * dimensions; i++) {
                noise[e] += (double) credits[i] * credits[i];
            }
            variances[e] = squares(whole[e]) + noise[e];
        });
        double[] basis = leading(whole, width);
        double[] map = new double[directions * width];
        Blas blas = Blas.best();
        blas.multiply(NO, NO, directions, width, width, basis, 0, whitening, 0, 0, map, 0);
        float[] toDirections = new float[map.length];
        for (int i = 0; i < map.length; i++) {
            toDirections[i] = (float) map[i];
        }
        this.gradients = new double[episodes][];
        this.others = new double[episodes][];
        this.observed = new double[episodes][];
        workers.run(episodes, (worker, e) -> {
            gradients[e] = new double[directions * dimensions];
            blas.multiply(NO, NO, directions, dimensions, width, basis, 0, whole[e], 0, 0, gradients[e], 0);
            others[e] = whole[e].clone();
            blas.multiply(YES, NO, width, dimensions, directions, basis, 0, negated(gradients[e]), 0, 1, others[e], 0);
            observed[e] = observe(starts, e, features, width, toDirections);
        });
        this.precision = identity(width);
        this.leadingPrecision = identity(directions);
        this.chosen = new boolean[episodes];
        this.left = new double[width * dimensions];
        this.leadingLeft = new double[directions * dimensions];
        this.outside = new double[width * dimensions];
        for (int e = 0; e < episodes; e++) {
            add(whole[e], 1, left);
            add(gradients[e], 1, leadingLeft);
            add(others[e], 1, outside);
            unexplained += noise[e];
        }
        this.now = unexplained + squares(left);
    }

    private static double[] identity(int size) {
        double[] matrix = new double[size * size];
        for (int j = 0; j < size; j++) {
            matrix[j * size + j] = 1;
        }
        return matrix;
    }

    private static double[] sum(int[] starts, int e, float[] features, int width, float[] credits, int dimensions) {
        float[] sum = new float[width * dimensions];
        int length = starts[e + 1] - starts[e];
        Blas.best()
                .multiply(
                        YES,
                        NO,
                        width,
                        dimensions,
                        length,
                        features,
                        starts[e] * width,
                        credits,
                        starts[e] * dimensions,
                        0f,
                        sum,
                        0);
        double[] doubles = new double[sum.length];
        Arrays.setAll(doubles, i -> sum[i]);
        return doubles;
    }

    private static double[] whitened(double[] whitening, double[] matrix, int width, int dimensions) {
        double[] result = new double[matrix.length];
        Blas.best().multiply(NO, NO, width, dimensions, width, whitening, 0, matrix, 0, 0, result, 0);
        return result;
    }

    /** The leading eigenvectors of Σ_e A_e A_eᵀ, one a row. */
    private double[] leading(double[][] whole, int width) {
        double[] sum = new double[width * width];
        for (double[] each : whole) {
            Blas.best().multiply(NO, YES, width, width, dimensions, each, 0, each, 0, 1, sum, 0);
        }
        double[][] vectors = SymmetricEigen.largest(sum, width, directions).vectors();
        double[] basis = new double[directions * width];
        for (int j = 0; j < directions; j++) {
            System.arraycopy(vectors[j], 0, basis, j * width, width);
        }
        return basis;
    }

    private double[] observe(int[] starts, int e, float[] features, int width, float[] toDirections) {
        int length = starts[e + 1] - starts[e];
        float[] rows = new float[length * directions];
        Blas blas = Blas.best();
        blas.multiply(NO, YES, length, directions, width, features, starts[e] * width, toDirections, 0, 0f, rows, 0);
        float[] products = new float[directions * directions];
        blas.multiply(YES, NO, directions, directions, length, rows, 0, rows, 0, 0f, products, 0);
        double[] doubles = new double[products.length];
        Arrays.setAll(doubles, i -> products[i]);
        return doubles;
    }

    private static double[] negated(double[] values) {
        double[] negated = new double[values.length];
        Arrays.setAll(negated, i -> -values[i]);
        return negated;
    }

    private static double squares(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value * value;
        }
        return sum;
    }

    /** A number that orders episodes: the error with one more, up to a constant, if other directions were not learned about. */
    private double comparable(int episode) {
        // never singular: the matrix is the identity and more
        return squares(sum(outside, others[episode], -1))
                - noise[episode]
                + Cholesky.ofNearlySingular(sum(leadingPrecision, observed[episode], 1), directions)
                        .squaredNorm(sum(leadingLeft, gradients[episode], -1), dimensions);
    }

    /** P + Σ C_e with one more episode. */
    private double[] precisionWith(int episode) {
        int length = starts[episode + 1] - starts[episode];
        double[] rows = new double[length * width];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = features[starts[episode] * width + i];
        }
        double[] whitened = new double[rows.length];
        Blas.best().multiply(NO, YES, length, width, width, rows, 0, whitening, 0, 0, whitened, 0);
        double[] sum = precision.clone();
        Blas.best().multiply(YES, NO, width, width, length, whitened, 0, whitened, 0, 1, sum, 0);
        return sum;
    }

    private static double[] sum(double[] a, double[] b, double factor) {
        double[] sum = new double[a.length];
        for (int i = 0; i < a.length; i++) {
            sum[i] = a[i] + factor * b[i];
        }
        return sum;
    }

    private static void add(double[] values, double factor, double[] into) {
        for (int i = 0; i < values.length; i++) {
            into[i] += factor * values[i];
        }
    }

    @Override
    public double now() {
        return now;
    }

    @Override
    public int best() {
        double[] errors = new double[episodes];
        workers.run(episodes, (worker, e) -> errors[e] = chosen[e] ? Double.NaN : comparable(e));
        return GradientUncertainty.least(errors);
    }

    @Override
    public double with(int episode) {
        candidate = episode;
        candidatePrecision = precisionWith(episode);
        candidateError = error(candidatePrecision.clone(), sum(left, whole[episode], -1), unexplained - noise[episode]);
        return candidateError;
    }

    private double error(double[] matrix, double[] gradient, double rest) {
        return rest + Cholesky.ofNearlySingular(matrix, width).squaredNorm(gradient, dimensions);
    }

    @Override
    public void choose(int episode) {
        now = candidate == episode ? candidateError : with(episode);
        precision = candidatePrecision;
        add(observed[episode], 1, leadingPrecision);
        add(whole[episode], -1, left);
        add(gradients[episode], -1, leadingLeft);
        add(others[episode], -1, outside);
        unexplained -= noise[episode];
        chosen[episode] = true;
        candidate = -1;
    }

    @Override
    public double[] variances() {
        return variances.clone();
    }
}
