package dev.pgkq.gp;

import dev.pgkq.linalg.PositiveDefinite;
import dev.pgkq.nn.Adam;
import dev.pgkq.nn.Mlp;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;

/**
 * A kernel between steps z = (s, a), a Gaussian of learned features plus noise,
 *
 * <pre>
 *   k(z, z') = exp(λ − ‖f(z) − f(z')‖² / 20) + (1e-5 + e^σ) δ(z, z'),   f: D → D → D → 10
 * </pre>
 *
 * learned by the likelihood of values y ~ N(0, k) at minibatches of points: with E the part without noise, α = k⁻¹ y and
 * G = k⁻¹ − α αᵀ, the loss yᵀ k⁻¹ y + log det k has the gradients
 *
 * <pre>
 *   ∂/∂λ = Σ_ij G_ij E_ij,   ∂/∂σ = e^σ tr G,   ∂/∂f_i = −(1/5) Σ_j G_ij E_ij (f_i − f_j).
 * </pre>
 */
public final class DeepKernel {
    /** Number of features. */
    public static final int FEATURES = 10;

    private static final double LEAST_NOISE = 1e-5;
    private static final double[] JITTERS = {0, 1e-8, 1e-6, 1e-4, 1e-2};

    private final Settings settings;
    private final Mlp network;
    private final float[] parameters;
    private final float[] gradient;
    private final Adam adam;
    private final Workers workers;

    /**
     * What a kernel starts from and how it learns.
     *
     * @param scale λ at the start
     * @param noise σ at the start
     * @param gain standard deviation of a feature for inputs of mean square 1, at the start
     * @param points M, points of a minibatch
     * @param updates minibatches per fit
     * @param learningRate of Adam
     */
    public record Settings(double scale, double noise, double gain, int points, int updates, double learningRate) {
        public Settings {
            if (!Double.isFinite(scale)
                    || !Double.isFinite(noise)
                    || !(gain > 0)
                    || points < 2
                    || updates < 0
                    || !(learningRate > 0)) {
                throw new IllegalArgumentException("a kernel needs finite start values, a positive gain and learning"
                        + " rate and minibatches of at least two points: scale " + scale + ", noise " + noise
                        + ", gain "
                        + gain + ", points " + points + ", updates " + updates + ", learning rate " + learningRate);
            }
        }
    }

    public DeepKernel(int inputs, Settings settings, RandomStream random, Workers workers) {
        this.settings = settings;
        this.network = new Mlp(inputs, inputs, inputs, FEATURES);
        this.parameters = new float[network.parameterCount() + 2];
        this.gradient = new float[parameters.length];
        this.adam = new Adam(parameters.length, settings.learningRate);
        this.workers = workers;
        network.initialize(parameters, random, settings.gain * Math.sqrt(3.0 / inputs));
        parameters[network.parameterCount()] = (float) settings.scale;
        parameters[network.parameterCount() + 1] = (float) settings.noise;
    }

    /** The live parameters: the network's, λ, σ. */
    public float[] parameters() {
        return parameters;
    }

    /** λ. */
    public double scale() {
        return parameters[network.parameterCount()];
    }

    /** σ. */
    public double noise() {
        return parameters[network.parameterCount() + 1];
    }

    /** 1e-5 + e^σ: what the kernel of a step with itself has on top. */
    public double noiseVariance() {
        return LEAST_NOISE + Math.exp(noise());
    }

    /** How many points a fit looks at, at most. */
    public int pointsPerFit() {
        return (int) Math.min(Integer.MAX_VALUE, (long) settings.points * settings.updates);
    }

    /** f(z) of each row. */
    public float[] embed(float[] inputs) {
        return network.forwardAll(parameters, inputs, workers);
    }

    /**
     * What learning saw.
     *
     * @param logLikelihood per point, mean over the minibatches before each one's update; NaN where there was none
     * @param skipped minibatches left out because their matrix was not positive definite even with jitter
     */
    public record Fit(double logLikelihood, int skipped) {}

    /** Learns from values y at points z, row by row; y is scaled to mean square 1 first. */
    public Fit fit(float[] inputs, double[] values, RandomStream random) {
        int count = values.length;
        double[] scaled = scaled(values);
        if (count < 2 || scaled.length == 0) {
            return new Fit(Double.NaN, 0);
        }
        int size = Math.min(settings.points, count);
        Minibatch batch = new Minibatch(size);
        int[] order = new int[count];
        Arrays.setAll(order, i -> i);
        int at = count;
        double sum = 0;
        int skipped = 0;
        for (int update = 0; update < settings.updates; update++) {
            if (at + size > count) {
                random.shuffle(order);
                at = 0;
            }
            double loss = batch.loss(inputs, scaled, order, at);
            at += size;
            if (Double.isNaN(loss)) {
                skipped++;
            } else {
                sum -= 0.5 * (loss / size + Math.log(2 * Math.PI));
                adam.descend(parameters, gradient);
            }
        }
        int used = settings.updates - skipped;
        return new Fit(used > 0 ? sum / used : Double.NaN, skipped);
    }

    /** y / √(mean of y²); empty where that is 0 or not finite, and there is nothing to learn. */
    private static double[] scaled(double[] values) {
        double squares = 0;
        for (double value : values) {
            squares += value * value;
        }
        double root = Math.sqrt(squares / values.length);
        return root > 0 && Double.isFinite(root)
                ? Arrays.stream(values).map(value -> value / root).toArray()
                : new double[0];
    }

    /** Loss and gradient on the points {@code order[from … from + size)}; for tests. */
    double loss(float[] inputs, double[] values, int[] order, float[] into) {
        double loss = new Minibatch(order.length).loss(inputs, values, order, 0);
        System.arraycopy(gradient, 0, into, 0, into.length);
        return loss;
    }

    private final class Minibatch {
        private final int size;
        private final Mlp.Workspace workspace;
        private final double[] smooth;
        private final double[] matrix;
        private final double[] y;
        private final double[] solution;
        private final double[] sums = new double[FEATURES];

        Minibatch(int size) {
            this.size = size;
            this.workspace = network.new Workspace(size);
            this.smooth = new double[size * size];
            this.matrix = new double[size * size];
            this.y = new double[size];
            this.solution = new double[size];
        }

        /** yᵀ k⁻¹ y + log det k, with its gradient in {@link #gradient}; NaN if k is not positive definite. */
        double loss(float[] inputs, double[] values, int[] order, int from) {
            int width = network.inputs();
            for (int r = 0; r < size; r++) {
                System.arraycopy(inputs, order[from + r] * width, workspace.input(), r * width, width);
                y[r] = values[order[from + r]];
            }
            network.forward(parameters, workspace, size);
            fillSmooth();
            double logDeterminant = invert();
            if (Double.isNaN(logDeterminant)) {
                return Double.NaN;
            }
            double quadratic = 0;
            for (int i = 0; i < size; i++) {
                double sum = 0;
                for (int j = 0; j < size; j++) {
                    sum += matrix[i * size + j] * y[j];
                }
                solution[i] = sum;
                quadratic += sum * y[i];
            }
            differentiate();
            double loss = quadratic + logDeterminant;
            return Double.isFinite(loss) && finite(gradient) ? loss : Double.NaN;
        }

        private void fillSmooth() {
            float[] f = workspace.output();
            double scale = scale();
            for (int i = 0; i < size; i++) {
                for (int j = 0; j <= i; j++) {
                    double squares = 0;
                    for (int k = 0; k < FEATURES; k++) {
                        double difference = f[i * FEATURES + k] - f[j * FEATURES + k];
                        squares += difference * difference;
                    }
                    double value = Math.exp(scale - squares / 20);
                    smooth[i * size + j] = value;
                    smooth[j * size + i] = value;
                }
            }
        }

        /** Makes {@link #matrix} k⁻¹ and returns log det k, with as little jitter as does it. */
        private double invert() {
            double diagonal = Math.exp(scale()) + noiseVariance();
            for (double jitter : JITTERS) {
                System.arraycopy(smooth, 0, matrix, 0, matrix.length);
                for (int i = 0; i < size; i++) {
                    matrix[i * size + i] += noiseVariance() + jitter * diagonal;
                }
                double logDeterminant = PositiveDefinite.invert(matrix, size);
                if (!Double.isNaN(logDeterminant)) {
                    return logDeterminant;
                }
            }
            return Double.NaN;
        }

        private void differentiate() {
            float[] f = workspace.output();
            float[] towards = workspace.outputGradient();
            double ofScale = 0;
            double trace = 0;
            for (int i = 0; i < size; i++) {
                Arrays.fill(sums, 0);
                for (int j = 0; j < size; j++) {
                    double g = matrix[i * size + j] - solution[i] * solution[j];
                    double product = g * smooth[i * size + j];
                    ofScale += product;
                    for (int k = 0; k < FEATURES; k++) {
                        sums[k] += product * (f[i * FEATURES + k] - f[j * FEATURES + k]);
                    }
                    trace += i == j ? g : 0;
                }
                for (int k = 0; k < FEATURES; k++) {
                    towards[i * FEATURES + k] = (float) (-sums[k] / 5);
                }
            }
            Arrays.fill(gradient, 0f);
            network.backward(parameters, workspace, size, gradient);
            gradient[network.parameterCount()] = (float) ofScale;
            gradient[network.parameterCount() + 1] = (float) (Math.exp(noise()) * trace);
        }
    }

    private static boolean finite(float[] values) {
        for (float value : values) {
            if (!Float.isFinite(value)) {
                return false;
            }
        }
        return true;
    }

    public void save(String name, Snapshot.Builder into) {
        into.tensor(name + ".parameters", parameters);
        adam.save(name + ".adam", into);
    }

    public void restore(String name, Snapshot saved) {
        saved.copyTensor(name + ".parameters", parameters);
        adam.restore(name + ".adam", saved);
    }
}
