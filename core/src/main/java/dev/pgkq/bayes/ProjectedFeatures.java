package dev.pgkq.bayes;

import static dev.pgkq.linalg.Blas.Transpose.NO;
import static dev.pgkq.linalg.Blas.Transpose.YES;

import dev.pgkq.linalg.Blas;
import dev.pgkq.linalg.SymmetricEigen;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;

/**
 * What {@link RandomFeatures} estimate, without the error of a finite sample. The mean of the product of two of them is the arc-cosine
 * kernel (Y. Cho, L. K. Saul, NIPS 2009): with u = (ẑ/√D, 1) and θ the angle between u and u',
 *
 * <pre>
 *   k(z, z') = E max(0, ⟨a, ẑ⟩ + b) max(0, ⟨a, ẑ'⟩ + b) = ‖u‖ ‖u'‖ (sin θ + (π − θ) cos θ) / 2π.
 * </pre>
 *
 * <p>An average over m random features is off by about 1/√m of k everywhere. These features project onto m functions k(z_j, ·) instead
 * (C. Williams, M. Seeger, NIPS 2000), with z_j drawn from N(0, I) in units of the first batch:
 *
 * <pre>
 *   φ(z) = √m Λ^{−½} Uᵀ (k(z_j, z))_j,   U Λ Uᵀ = (k(z_i, z_j))_ij + 10⁻⁶ I,
 * </pre>
 *
 * so φ(z)ᵀ φ(z') is the best approximation of m k(z, z') by these functions, and the last feature is 1, as that of random ones. Costs
 * and sums have the same size.
 */
public final class ProjectedFeatures implements StepFeatures {
    private static final String UNITS = "/projected/units";

    /** Added to the eigenvalues of (k(z_i, z_j))_ij, so that rounding errors of k are not blown up. */
    private static final double JITTER = 1e-6;

    private final int inputs;
    private final int count;
    private final long seed;
    private final Blas blas = Blas.best();

    /** Mean and standard deviation of each component, one after the other; none before the first batch. */
    private float[] units = {};

    /** ẑ_j / D, inputs × count. */
    private float[] landmarks = {};

    /** ‖u_j‖. */
    private double[] norms = {};

    /** √m Λ^{−½} Uᵀ, count × count. */
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
        draw();
    }

    private void draw() {
        if (projection.length > 0) {
            return;
        }
        RandomStream random = RandomStream.of(seed, Purpose.REWARD_FEATURES);
        float[] points = new float[count * inputs];
        landmarks = new float[inputs * count];
        norms = new double[count];
        for (int j = 0; j < count; j++) {
            double square = 0;
            for (int k = 0; k < inputs; k++) {
                float value = (float) random.nextGaussian();
                points[j * inputs + k] = value;
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
        projection = new double[count * count];
        for (int k = 0; k < count; k++) {
            double scale = Math.sqrt(count / Math.max(JITTER, eigen.values()[k]));
            for (int j = 0; j < count; j++) {
                projection[k * count + j] = scale * eigen.vectors()[k][j];
            }
        }
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
                standardised[at + k] = (steps[from * inputs + at + k] - units[k]) / units[inputs + k];
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
    }

    @Override
    public void restore(String name, Snapshot saved) {
        float[] restored = saved.tensor(name + UNITS).values();
        units = restored.length == 0
                ? restored
                : saved.values(name + UNITS, 2 * inputs).clone();
        if (isFixed()) {
            draw();
        }
    }
}
