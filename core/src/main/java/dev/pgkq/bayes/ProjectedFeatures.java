package dev.pgkq.bayes;

import static dev.pgkq.linalg.Blas.Transpose.NO;
import static dev.pgkq.linalg.Blas.Transpose.YES;

import dev.pgkq.linalg.Blas;
import dev.pgkq.linalg.SymmetricEigen;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;

/**
 * What {@link RandomFeatures} estimate, without the error of a finite sample. The mean of the product of two of them is the arc-cosine
 * kernel (Y. Cho, L. K. Saul, NIPS 2009): with u = (ẑ/√D, 1) and θ the angle between u and u',
 *
 * <pre>
 *   k(z, z') = E max(0, ⟨a, ẑ⟩ + b) max(0, ⟨a, ẑ'⟩ + b) = ‖u‖ ‖u'‖ (sin θ + (π − θ) cos θ) / 2π.
 * </pre>
 *
 * <p>An average over m random features is off by about 1/√m of k everywhere. These features project onto m functions k(z_j, ·) instead
 * (C. Williams, M. Seeger, NIPS 2000):
 *
 * <pre>
 *   φ(z) = √m U Λ^{−½} Uᵀ (k(z_j, z))_j,   U Λ Uᵀ = (k(z_i, z_j))_ij + 10⁻⁶ I,
 * </pre>
 *
 * so φ(z)ᵀ φ(z') is the best approximation of m k(z, z') by these functions, and the last feature is 1, as that of random ones. Costs
 * and sums have the same size. Half of the ẑ_j are normal with the covariance of the first batch, so that they lie where its items do.
 * The others are from N(0, I), for what the first batch did not have.
 */
public final class ProjectedFeatures implements StepFeatures {
    private static final String UNITS = "/projected/units";
    private static final String POINTS = "/projected/points";

    /** Added to the eigenvalues of (k(z_i, z_j))_ij, so that rounding errors of k are not blown up. */
    private static final double JITTER = 1e-6;

    /** So many rows of the first batch stand for its covariance. */
    private static final int MOST_ROWS = 512;

    private final int inputs;
    private final int count;
    private final long seed;
    private final Blas blas = Blas.best();

    /** Mean and standard deviation of each component, one after the other; none before the first batch. */
    private float[] units = {};

    /** ẑ_j for the first half of j, row by row. */
    private float[] ofBatch = {};

    /** ẑ_j / D, inputs × count. */
    private float[] landmarks = {};

    /** ‖u_j‖. */
    private double[] norms = {};

    /** √m U Λ^{−½} Uᵀ, count × count. */
    private double[] projection = {};

    /**
     * Creates features whose units are not known yet.
     *
     * @param inputs D, the size of z
     * @param count m, the number of functions, without the constant
     * @param seed determines z_j
     */
    public ProjectedFeatures(int inputs, int count, long seed) {
        this.inputs = inputs;
        this.count = count;
        this.seed = seed;
    }

    @Override
    public int size() {
        return count + 1;
    }

    @Override
    public boolean isFixed() {
        return units.length > 0;
    }

    @Override
    public void fix(float[] steps) {
        units = RandomFeatures.units(steps, inputs, 0);
        ofBatch = drawn(steps);
        project();
    }

    /** Draws points with the covariance of some steps: Σ_i g_i ẑ_i / √n with g_i ~ N(0, 1). */
    private float[] drawn(float[] steps) {
        int all = steps.length / inputs;
        int rows = Math.min(all, MOST_ROWS);
        RandomStream random = RandomStream.of(seed, Purpose.REWARD_FEATURES, 1);
        float[] points = new float[count / 2 * inputs];
        for (int j = 0; j < count / 2; j++) {
            double[] sum = new double[inputs];
            for (int i = 0; i < rows; i++) {
                double weight = random.nextGaussian() / Math.sqrt(rows);
                int from = (int) ((long) i * all / rows) * inputs;
                for (int k = 0; k < inputs; k++) {
                    sum[k] += weight * standardised(steps[from + k], k);
                }
            }
            for (int k = 0; k < inputs; k++) {
                points[j * inputs + k] = (float) sum[k];
            }
        }
        return points;
    }

    private float standardised(float value, int component) {
        return (value - units[component]) / units[inputs + component];
    }

    private void project() {
        RandomStream random = RandomStream.of(seed, Purpose.REWARD_FEATURES);
        float[] points = Arrays.copyOf(ofBatch, count * inputs);
        for (int i = ofBatch.length; i < points.length; i++) {
            points[i] = (float) random.nextGaussian();
        }
        landmarks = new float[inputs * count];
        norms = new double[count];
        for (int j = 0; j < count; j++) {
            double square = 0;
            for (int k = 0; k < inputs; k++) {
                float value = points[j * inputs + k];
                landmarks[k * count + j] = value / inputs;
                square += value * value;
            }
            norms[j] = Math.sqrt(square / inputs + 1);
        }
        double[] kernel = kernel(points, count);
        for (int j = 0; j < count; j++) {
            kernel[j * count + j] += JITTER;
            for (int i = 0; i < j; i++) {
                // rounding differs between the two
                kernel[i * count + j] = kernel[j * count + i];
            }
        }
        SymmetricEigen eigen = SymmetricEigen.largest(kernel, count, count);
        // the symmetric root is unique, unlike the signs of eigenvectors and their rotation where eigenvalues are close
        double[] scaled = new double[count * count];
        for (int k = 0; k < count; k++) {
            double scale = Math.pow(count / Math.max(JITTER, eigen.values()[k]), 0.25);
            for (int j = 0; j < count; j++) {
                scaled[k * count + j] = scale * eigen.vectors()[k][j];
            }
        }
        projection = new double[count * count];
        blas.multiply(YES, NO, count, count, count, scaled, 0, scaled, 0, 0, projection, 0);
    }

    /** k(z, z_j) of some rows ẑ. */
    private double[] kernel(float[] standardised, int rows) {
        float[] products = new float[rows * count];
        blas.multiply(NO, NO, rows, count, inputs, standardised, 0, landmarks, 0, 0f, products, 0);
        double[] kernel = new double[rows * count];
        for (int r = 0; r < rows; r++) {
            double square = 0;
            for (int k = 0; k < inputs; k++) {
                double value = standardised[r * inputs + k];
                square += value * value;
            }
            double norm = Math.sqrt(square / inputs + 1);
            for (int j = 0; j < count; j++) {
                kernel[r * count + j] = arcCosine(norm * norms[j], products[r * count + j] + 1.0);
            }
        }
        return kernel;
    }

    /** The kernel of two vectors with this product of their norms, and this inner product. */
    private static double arcCosine(double norms, double inner) {
        double cosine = Math.clamp(inner / norms, -1, 1);
        double sine = Math.sqrt(1 - cosine * cosine);
        return norms * (sine + (Math.PI - Math.acos(cosine)) * cosine) / (2 * Math.PI);
    }

    @Override
    public void compute(float[] steps, int from, int rows, float[] into) {
        float[] standardised = new float[rows * inputs];
        for (int at = 0; at < standardised.length; at += inputs) {
            for (int k = 0; k < inputs; k++) {
                standardised[at + k] = standardised(steps[from * inputs + at + k], k);
            }
        }
        double[] projected = new double[rows * count];
        blas.multiply(NO, YES, rows, count, count, kernel(standardised, rows), 0, projection, 0, 0, projected, 0);
        for (int r = 0; r < rows; r++) {
            for (int j = 0; j < count; j++) {
                into[r * size() + j] = (float) projected[r * count + j];
            }
            into[r * size() + count] = 1;
        }
    }

    @Override
    public void save(String name, Snapshot.Builder into) {
        into.tensor(name + UNITS, units.clone(), units.length);
        into.tensor(name + POINTS, ofBatch.clone(), ofBatch.length);
    }

    @Override
    public void restore(String name, Snapshot saved) {
        boolean fixed = saved.tensor(name + UNITS).values().length > 0;
        units = saved.values(name + UNITS, fixed ? 2 * inputs : 0).clone();
        ofBatch = saved.values(name + POINTS, fixed ? count / 2 * inputs : 0).clone();
        if (fixed) {
            project();
        }
    }
}
