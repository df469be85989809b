package dev.pgkq.select;

import static dev.pgkq.linalg.Blas.Transpose.NO;
import static dev.pgkq.linalg.Blas.Transpose.YES;

import dev.pgkq.bayes.Posterior;
import dev.pgkq.linalg.Blas;

/**
 * The uncertainty where one number is known of an episode, y_e = f_eᵀ w + ε with f_e = Σ_t γ^t φ_t, and every reward is estimated
 * by its posterior mean. With B = Σ_e A_e, A_e = Σ_t φ_t v_tᵀ, the expected squared error of the gradient is
 *
 * <pre>
 *   σ² tr(Bᵀ P⁻¹ B),   and an observation of f changes P⁻¹ by −P⁻¹ f fᵀ P⁻¹ / (1 + fᵀ P⁻¹ f).
 * </pre>
 */
final class SumUncertainty implements GradientUncertainty {
    private final int episodes;
    private final int features;
    private final int dimensions;

    /** W f_e, row by row; the posterior covariance is the identity in these coordinates. */
    private final double[] rows;

    /** P⁻¹ f_e in the same coordinates, as it is with the episodes chosen so far. */
    private final double[] solved;

    /** P⁻¹ B, likewise; features × dimensions. */
    private final double[] gradient;

    private final boolean[] chosen;
    private final double[] variances;
    private double now;

    /**
     * @param sums f_e around the centre, row by row
     * @param gradient B, features × dimensions
     */
    SumUncertainty(Posterior posterior, double[] sums, double[] gradient, int dimensions) {
        this.features = posterior.features();
        this.episodes = sums.length / features;
        this.dimensions = dimensions;
        Blas blas = Blas.best();
        double[] whitening = posterior.whitening();
        this.rows = new double[sums.length];
        blas.multiply(NO, YES, episodes, features, features, sums, 0, whitening, 0, 0, rows, 0);
        this.solved = rows.clone();
        this.gradient = new double[features * dimensions];
        blas.multiply(NO, NO, features, dimensions, features, whitening, 0, gradient, 0, 0, this.gradient, 0);
        this.chosen = new boolean[episodes];
        for (double value : this.gradient) {
            now += value * value;
        }
        this.variances = new double[episodes];
        for (int e = 0; e < episodes; e++) {
            variances[e] = 1 + dot(rows, e, rows, e);
        }
    }

    @Override
    public double now() {
        return now;
    }

    @Override
    public int best() {
        double[] errors = new double[episodes];
        for (int e = 0; e < episodes; e++) {
            errors[e] = chosen[e] ? Double.NaN : with(e);
        }
        return GradientUncertainty.least(errors);
    }

    @Override
    public double with(int episode) {
        return Math.max(0, now - gain(shared(episode), episode));
    }

    /** Bᵀ P⁻¹ f_e. */
    private double[] shared(int episode) {
        double[] shared = new double[dimensions];
        for (int j = 0; j < features; j++) {
            double value = rows[episode * features + j];
            for (int d = 0; d < dimensions; d++) {
                shared[d] += value * gradient[j * dimensions + d];
            }
        }
        return shared;
    }

    private double gain(double[] shared, int episode) {
        double sum = 0;
        for (double value : shared) {
            sum += value * value;
        }
        return sum / (1 + dot(rows, episode, solved, episode));
    }

    @Override
    public void choose(int episode) {
        double[] shared = shared(episode);
        now = Math.max(0, now - gain(shared, episode));
        double scale = 1 / (1 + dot(rows, episode, solved, episode));
        double[] direction = new double[features];
        System.arraycopy(solved, episode * features, direction, 0, features);
        for (int j = 0; j < features; j++) {
            for (int d = 0; d < dimensions; d++) {
                gradient[j * dimensions + d] -= scale * direction[j] * shared[d];
            }
        }
        for (int e = 0; e < episodes; e++) {
            double common = 0;
            for (int j = 0; j < features; j++) {
                common += rows[e * features + j] * direction[j];
            }
            for (int j = 0; j < features; j++) {
                solved[e * features + j] -= scale * common * direction[j];
            }
        }
        chosen[episode] = true;
    }

    @Override
    public double[] variances() {
        return variances.clone();
    }

    private double dot(double[] a, int rowOfA, double[] b, int rowOfB) {
        double sum = 0;
        for (int j = 0; j < features; j++) {
            sum += a[rowOfA * features + j] * b[rowOfB * features + j];
        }
        return sum;
    }
}
