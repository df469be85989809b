package dev.pgkq.gp;

import dev.pgkq.linalg.Cholesky;
import dev.pgkq.nn.Mlp;
import java.util.Arrays;
import java.util.Optional;

/**
 * The likelihood of sums of a Gaussian process over groups of points, as a loss with its gradient. A value that is
 * known by itself is a group of one.
 *
 * <p>With E_ij = exp(λ − ‖f_i − f_j‖² / 20) the kernel of points without noise and c_i their coefficients, the sums
 * y_g = Σ_{i ∈ g} c_i r_i + noise have the covariance
 *
 * <pre>
 *   k_gh = Σ_{i ∈ g} Σ_{j ∈ h} s_ij c_i c_j E_ij + (1e-5 + e^σ) δ_gh.
 * </pre>
 *
 * <p>The loss is yᵀ k⁻¹ y + log det k. With α = k⁻¹ y, G = k⁻¹ − α αᵀ and H_ij = s_ij c_i c_j G_{g(i) g(j)} E_ij, its
 * gradients are
 *
 * <pre>
 *   ∂/∂λ = Σ_ij H_ij,   ∂/∂σ = e^σ tr G,   ∂/∂f_i = −(1/5) Σ_j H_ij (f_i − f_j).
 * </pre>
 *
 * <p>s_ij is 1 where all points of a group are present. Where m points were drawn of a group's L, each drawn one stands
 * for L / m, and so does a point paired with itself; a pair of two points of the group stands for
 * L (L − 1) / (m (m − 1)). The covariance without noise is then unbiased.
 */
final class SumLikelihood {
    private static final int FEATURES = DeepKernel.FEATURES;

    /** 5: f_i is in E_ij and in E_ji, and the derivative of a square has a factor of 2. */
    private static final double GRADIENT_DIVISOR = EpisodicGram.TWICE_SQUARED_LENGTH / 4;

    /**
     * Added to the diagonal, as shares of k of a point with itself, one after the other until k is positive definite.
     */
    private static final double[] JITTERS = {0, 1e-8, 1e-6, 1e-4, 1e-2};

    private final KernelParameters parameters;
    private final Mlp network;
    private final Mlp.Workspace workspace;

    private int size;
    private int groups;
    private final int[] groupOf;
    private final double[] coefficients;
    /** How many points, or pairs of a point with itself, a drawn one stands for; one a group. */
    private final double[] ones;
    /** How many pairs of two points of the group a drawn pair stands for; one a group. */
    private final double[] pairs;

    private final double[] y;
    private final double[] alpha;
    /** E, size × size. */
    private final double[] smooth;

    /**
     * Allocates the buffers for a minibatch.
     *
     * @param points how many it has at most
     * @param sums how many groups it has at most
     */
    SumLikelihood(KernelParameters parameters, int points, int sums) {
        this.parameters = parameters;
        this.network = parameters.network();
        this.workspace = network.new Workspace(points);
        this.groupOf = new int[points];
        this.coefficients = new double[points];
        this.ones = new double[sums];
        this.pairs = new double[sums];
        this.y = new double[sums];
        this.alpha = new double[sums];
        this.smooth = new double[points * points];
    }

    /** How many groups the minibatch has. */
    int groups() {
        return groups;
    }

    void clear() {
        size = 0;
        groups = 0;
    }

    /**
     * Adds a group, to which the points that follow belong.
     *
     * @param sum y of the group
     * @param drawn how many points follow
     * @param length how many points they were drawn from
     */
    void addGroup(double sum, int drawn, int length) {
        ones[groups] = (double) length / drawn;
        pairs[groups] = drawn > 1 ? ones[groups] * (length - 1) / (drawn - 1) : 0;
        y[groups++] = sum;
    }

    /** Adds row {@code row} of {@code inputs} to the last group. */
    void addPoint(float[] inputs, int row, double coefficient) {
        int width = network.inputs();
        System.arraycopy(inputs, row * width, workspace.input(), size * width, width);
        groupOf[size] = groups - 1;
        coefficients[size++] = coefficient;
    }

    /**
     * Returns the loss and sets {@code gradient} to its gradient; NaN, with an undefined gradient, if either is not
     * finite or k is not positive definite even with jitter.
     */
    double loss(float[] gradient) {
        network.forward(parameters.values(), workspace, size);
        fillSmooth();
        Optional<Cholesky> decomposition = decompose();
        if (decomposition.isEmpty()) {
            return Double.NaN;
        }
        double[] inverse = decomposition.get().inverse();
        double quadratic = 0;
        for (int i = 0; i < groups; i++) {
            double sum = 0;
            for (int j = 0; j < groups; j++) {
                sum += inverse[i * groups + j] * y[j];
            }
            alpha[i] = sum;
            quadratic += sum * y[i];
        }
        differentiate(inverse, gradient);
        double loss = quadratic + decomposition.get().logDeterminant();
        return Double.isFinite(loss) && isFinite(gradient) ? loss : Double.NaN;
    }

    /** Returns the covariance of the sums without noise, groups × groups. */
    double[] covariance() {
        network.forward(parameters.values(), workspace, size);
        fillSmooth();
        return smoothSums();
    }

    private void fillSmooth() {
        float[] f = workspace.output();
        double scale = parameters.scale();
        for (int i = 0; i < size; i++) {
            for (int j = 0; j <= i; j++) {
                double squares = 0;
                for (int k = 0; k < FEATURES; k++) {
                    double difference = f[i * FEATURES + k] - f[j * FEATURES + k];
                    squares += difference * difference;
                }
                double value = Math.exp(scale - squares / EpisodicGram.TWICE_SQUARED_LENGTH);
                smooth[i * size + j] = value;
                smooth[j * size + i] = value;
            }
        }
    }

    /** Decomposes k with as little jitter as possible; empty if the most is not enough. */
    private Optional<Cholesky> decompose() {
        double diagonal = Math.exp(parameters.scale()) + parameters.noiseVariance();
        for (double jitter : JITTERS) {
            double[] k = smoothSums();
            for (int g = 0; g < groups; g++) {
                k[g * groups + g] += parameters.noiseVariance() + jitter * diagonal;
            }
            Optional<Cholesky> decomposition = Cholesky.of(k, groups);
            if (decomposition.isPresent()) {
                return decomposition;
            }
        }
        return Optional.empty();
    }

    private double[] smoothSums() {
        double[] sums = new double[groups * groups];
        for (int i = 0; i < size; i++) {
            int row = groupOf[i] * groups;
            for (int j = 0; j < size; j++) {
                sums[row + groupOf[j]] += coefficient(i, j) * smooth[i * size + j];
            }
        }
        return sums;
    }

    /** s_ij c_i c_j. */
    private double coefficient(int i, int j) {
        int a = groupOf[i];
        int b = groupOf[j];
        double standsFor = a != b ? ones[a] * ones[b] : i == j ? ones[a] : pairs[a];
        return coefficients[i] * coefficients[j] * standsFor;
    }

    /** Turns k⁻¹ into G, in place, and G into the gradient. */
    private void differentiate(double[] inverse, float[] gradient) {
        float[] f = workspace.output();
        float[] ofFeatures = workspace.outputGradient();
        double ofScale = 0;
        double trace = 0;
        for (int a = 0; a < groups; a++) {
            for (int b = 0; b < groups; b++) {
                inverse[a * groups + b] -= alpha[a] * alpha[b];
            }
            trace += inverse[a * groups + a];
        }
        double[] sums = new double[FEATURES];
        for (int i = 0; i < size; i++) {
            Arrays.fill(sums, 0);
            int row = groupOf[i] * groups;
            for (int j = 0; j < size; j++) {
                double g = coefficient(i, j) * inverse[row + groupOf[j]];
                double product = g * smooth[i * size + j];
                ofScale += product;
                for (int k = 0; k < FEATURES; k++) {
                    sums[k] += product * (f[i * FEATURES + k] - f[j * FEATURES + k]);
                }
            }
            for (int k = 0; k < FEATURES; k++) {
                ofFeatures[i * FEATURES + k] = (float) (-sums[k] / GRADIENT_DIVISOR);
            }
        }
        Arrays.fill(gradient, 0f);
        network.backward(parameters.values(), workspace, size, gradient);
        gradient[parameters.scaleIndex()] = (float) ofScale;
        gradient[parameters.noiseIndex()] = (float) (Math.exp(parameters.noise()) * trace);
    }

    private static boolean isFinite(float[] values) {
        for (float value : values) {
            if (!Float.isFinite(value)) {
                return false;
            }
        }
        return true;
    }
}
