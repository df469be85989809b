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
    private final Features features;
    private final double[] whitening;

    /** What comparing an episode needs, one for each worker. */
    private final Workspace[] workspaces;

    /** φ of an episode's steps and the same in coordinates in which P is the identity; the latter are used again. */
    private double[] rows = {};

    private double[] whitenedRows = {};

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

    private double[] candidatePrecision;
    private double candidateError;

    /** φ of the steps of an episode. */
    @FunctionalInterface
    interface Features {
        /** Returns φ of the steps of an episode, row by row from 0; valid until the same worker asks again. */
        float[] of(int worker, int episode);
    }

    private final class Workspace {
        private final double[] precision = new double[directions * directions];
        private final double[] left = new double[directions * dimensions];
        private float[] reduced = {};
    }

    /**
     * @param starts where each episode's steps start, and where the last one ends
     * @param features φ of the steps
     * @param credits v of every step, row by row
     * @param dimensions size of v
     * @param most the most directions to keep
     */
    StepUncertainty(
            Posterior posterior,
            int[] starts,
            Features features,
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
        this.workspaces = new Workspace[workers.count()];
        Arrays.setAll(workspaces, worker -> new Workspace());
        this.whitening = posterior.whitening();
        this.whole = new double[episodes][];
        this.noise = new double[episodes];
        this.variances = new double[episodes];
        workers.run(episodes, (worker, e) -> {
            whole[e] = whitened(whitening, sum(worker, e, credits), width, dimensions);
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
            observed[e] = observe(worker, e, toDirections);
        });
        this.precision = identity(width);
        this.candidatePrecision = new double[width * width];
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

    private double[] sum(int worker, int e, float[] credits) {
        float[] sum = new float[width * dimensions];
        int length = starts[e + 1] - starts[e];
        float[] ofSteps = features.of(worker, e);
        Blas.best()
                .multiply(YES, NO, width, dimensions, length, ofSteps, 0, credits, starts[e] * dimensions, 0f, sum, 0);
        return doubles(sum);
    }

    private static double[] doubles(float[] values) {
        double[] doubles = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            doubles[i] = values[i];
        }
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

    private double[] observe(int worker, int e, float[] toDirections) {
        int length = starts[e + 1] - starts[e];
        Workspace own = workspaces[worker];
        if (own.reduced.length < length * directions) {
            own.reduced = new float[length * directions];
        }
        float[] reduced = own.reduced;
        Blas blas = Blas.best();
        blas.multiply(NO, YES, length, directions, width, features.of(worker, e), 0, toDirections, 0, 0f, reduced, 0);
        float[] products = new float[directions * directions];
        blas.multiply(YES, NO, directions, directions, length, reduced, 0, reduced, 0, 0f, products, 0);
        return doubles(products);
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
    private double comparable(int worker, int episode) {
        Workspace own = workspaces[worker];
        sum(leadingPrecision, observed[episode], 1, own.precision);
        sum(leadingLeft, gradients[episode], -1, own.left);
        // never singular: the matrix is the identity and more
        return squaredDistance(outside, others[episode])
                - noise[episode]
                + Cholesky.ofNearlySingular(own.precision, directions).squaredNorm(own.left, dimensions);
    }

    private static double squaredDistance(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            double difference = a[i] - b[i];
            sum += difference * difference;
        }
        return sum;
    }

    /** P + Σ C_e with one more episode, into the matrix of the candidate. */
    private void lookAt(int episode) {
        System.arraycopy(precision, 0, candidatePrecision, 0, precision.length);
        observe(episode, candidatePrecision);
    }

    /** Adds C_e. */
    private void observe(int episode, double[] into) {
        int length = starts[episode + 1] - starts[episode];
        float[] ofSteps = features.of(0, episode);
        if (rows.length < length * width) {
            rows = new double[length * width];
            whitenedRows = new double[length * width];
        }
        for (int i = 0; i < length * width; i++) {
            rows[i] = ofSteps[i];
        }
        Blas.best().multiply(NO, YES, length, width, width, rows, 0, whitening, 0, 0, whitenedRows, 0);
        Blas.best().multiply(YES, NO, width, width, length, whitenedRows, 0, whitenedRows, 0, 1, into, 0);
    }

    private static void sum(double[] a, double[] b, double factor, double[] into) {
        for (int i = 0; i < a.length; i++) {
            into[i] = a[i] + factor * b[i];
        }
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
        workers.run(episodes, (worker, e) -> errors[e] = chosen[e] ? Double.NaN : comparable(worker, e));
        return GradientUncertainty.least(errors);
    }

    @Override
    public double with(int episode) {
        candidate = episode;
        lookAt(episode);
        double[] remaining = new double[left.length];
        sum(left, whole[episode], -1, remaining);
        candidateError = unexplained
                - noise[episode]
                + Cholesky.ofNearlySingular(candidatePrecision.clone(), width).squaredNorm(remaining, dimensions);
        return candidateError;
    }

    @Override
    public void choose(int episode) {
        now = candidate == episode ? candidateError : with(episode);
        double[] before = precision;
        precision = candidatePrecision;
        candidatePrecision = before;
        add(observed[episode], 1, leadingPrecision);
        add(whole[episode], -1, left);
        add(gradients[episode], -1, leadingLeft);
        add(others[episode], -1, outside);
        unexplained -= noise[episode];
        chosen[episode] = true;
        candidate = -1;
    }

    @Override
    public void exclude(int episode) {
        chosen[episode] = true;
    }

    @Override
    public double withAll(int... indices) {
        double[] observedToo = identity(width);
        double[] remaining = new double[left.length];
        double unobserved = 0;
        for (int e = 0; e < episodes; e++) {
            add(whole[e], 1, remaining);
            unobserved += noise[e];
        }
        for (int episode : indices) {
            observe(episode, observedToo);
            add(whole[episode], -1, remaining);
            unobserved -= noise[episode];
        }
        return unobserved + Cholesky.ofNearlySingular(observedToo, width).squaredNorm(remaining, dimensions);
    }

    @Override
    public double[] variances() {
        return variances.clone();
    }
}
