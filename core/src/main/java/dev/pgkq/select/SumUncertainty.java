package dev.pgkq.select;

import static dev.pgkq.linalg.Blas.Transpose.NO;
import static dev.pgkq.linalg.Blas.Transpose.YES;

import dev.pgkq.bayes.Posterior;
import dev.pgkq.linalg.Blas;
import dev.pgkq.linalg.Cholesky;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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

    /** Bᵀ P⁻¹ f_e, row by row, as it is with the episodes chosen so far. */
    private final double[] shared;

    /** The same, and the error, before any was chosen. */
    private final double[] sharedAtFirst;

    private final double atFirst;

    /** f_eᵀ P⁻¹ f_e, as it is with the episodes chosen so far. */
    private final double[] squares;

    /** For each chosen episode P⁻¹ f as it was before, over the root of 1 + fᵀ P⁻¹ f. */
    private final List<double[]> learned = new ArrayList<>();

    private final boolean[] unavailable;
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
        double[] whitened = new double[features * dimensions];
        blas.multiply(NO, NO, features, dimensions, features, whitening, 0, gradient, 0, 0, whitened, 0);
        for (double value : whitened) {
            now += value * value;
        }
        this.shared = new double[episodes * dimensions];
        blas.multiply(NO, NO, episodes, dimensions, features, rows, 0, whitened, 0, 0, shared, 0);
        this.sharedAtFirst = shared.clone();
        this.atFirst = now;
        this.unavailable = new boolean[episodes];
        this.squares = new double[episodes];
        this.variances = new double[episodes];
        for (int e = 0; e < episodes; e++) {
            squares[e] = dot(rows, e, rows, e, features);
            variances[e] = 1 + squares[e];
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
            errors[e] = unavailable[e] ? Double.NaN : with(e);
        }
        return GradientUncertainty.least(errors);
    }

    @Override
    public double with(int episode) {
        return Math.max(0, now - gain(episode));
    }

    private double gain(int episode) {
        return dot(shared, episode, shared, episode, dimensions) / (1 + squares[episode]);
    }

    @Override
    public void choose(int episode) {
        now = with(episode);
        double[] direction = Arrays.copyOfRange(rows, episode * features, (episode + 1) * features);
        for (double[] earlier : learned) {
            double common = dot(rows, episode, earlier, 0, features);
            for (int j = 0; j < features; j++) {
                direction[j] -= common * earlier[j];
            }
        }
        double scale = 1 / Math.sqrt(1 + squares[episode]);
        for (int j = 0; j < features; j++) {
            direction[j] *= scale;
        }
        double[] own = Arrays.copyOfRange(shared, episode * dimensions, (episode + 1) * dimensions);
        for (int e = 0; e < episodes; e++) {
            double common = dot(rows, e, direction, 0, features);
            squares[e] = Math.max(0, squares[e] - common * common);
            for (int d = 0; d < dimensions; d++) {
                shared[e * dimensions + d] -= common * scale * own[d];
            }
        }
        learned.add(direction);
        unavailable[episode] = true;
    }

    @Override
    public void exclude(int episode) {
        unavailable[episode] = true;
    }

    /** σ² [tr(Bᵀ P⁻¹ B) − tr((K + I)⁻¹ S Sᵀ)], with K = fᵀ P⁻¹ f of these episodes and S their rows of Bᵀ P⁻¹ f. */
    @Override
    public double withAll(int... indices) {
        int count = indices.length;
        double[] covariance = new double[count * count];
        double[] ofThese = new double[count * dimensions];
        for (int a = 0; a < count; a++) {
            for (int b = 0; b < count; b++) {
                covariance[a * count + b] = dot(rows, indices[a], rows, indices[b], features) + (a == b ? 1 : 0);
            }
            System.arraycopy(sharedAtFirst, indices[a] * dimensions, ofThese, a * dimensions, dimensions);
        }
        return Math.max(
                0, atFirst - Cholesky.ofNearlySingular(covariance, count).squaredNorm(ofThese, dimensions));
    }

    @Override
    public double[] variances() {
        return variances.clone();
    }

    private static double dot(double[] a, int rowOfA, double[] b, int rowOfB, int width) {
        double sum = 0;
        for (int j = 0; j < width; j++) {
            sum += a[rowOfA * width + j] * b[rowOfB * width + j];
        }
        return sum;
    }
}
