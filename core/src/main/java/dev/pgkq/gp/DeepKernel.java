package dev.pgkq.gp;

import dev.pgkq.linalg.PositiveDefinite;
import dev.pgkq.nn.Adam;
import dev.pgkq.nn.Chunks;
import dev.pgkq.nn.Mlp;
import dev.pgkq.nn.ParameterLayout;
import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.RandomSubset;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;
import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.IntStream;

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
 *
 * Where only sums Σ_{i ∈ g} c_i y_i over groups are known, the matrix is that of the sums, with one noise for each, and
 * c_i c_j times its G of the groups of i and j takes the place of G_ij. From m points drawn of a group's L, a sum over its
 * points is estimated with L / m, and one over its pairs with L / m where both are the same and with
 * L (L − 1) / (m (m − 1)) where they are not: the matrix is then right in the mean.
 */
public final class DeepKernel {
    /** Number of features. */
    public static final int FEATURES = 10;

    /** Sums in a minibatch, at most. */
    private static final int GROUPS = 16;

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
    public record Settings(double scale, double noise, double gain, int points, int updates, double learningRate)
            implements Serializable {
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

    /**
     * f(z) of each row; of an episode, the same bits whatever the others are.
     *
     * @param starts where each episode's rows start, and where the last one ends
     */
    public float[] embed(int[] starts, float[] inputs) {
        return network.forwardAll(parameters, inputs, Chunks.of(starts), workers);
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
        Minibatch batch = new Minibatch(size, size);
        Updates updates = new Updates();
        int[] order = new int[count];
        Arrays.setAll(order, i -> i);
        int at = count;
        for (int update = 0; update < settings.updates; update++) {
            if (at + size > count) {
                random.shuffle(order);
                at = 0;
            }
            batch.clear();
            for (int i = at; i < at + size; i++) {
                batch.addGroup(scaled[order[i]], 1, 1);
                batch.addPoint(inputs, order[i], 1);
            }
            at += size;
            updates.take(batch);
        }
        return updates.fit();
    }

    /** Descends minibatch by minibatch, and counts. */
    private final class Updates {
        private double sum;
        private int used;
        private int skipped;

        void take(Minibatch batch) {
            double loss = batch.loss();
            if (Double.isNaN(loss)) {
                skipped++;
            } else {
                used++;
                sum -= 0.5 * (loss / batch.groups + Math.log(2 * Math.PI));
                adam.descend(parameters, gradient);
            }
        }

        Fit fit() {
            return new Fit(used > 0 ? sum / used : Double.NaN, skipped);
        }
    }

    /**
     * Learns from sums of values over groups of points z, each with one noise; points are drawn anew from the groups for
     * every minibatch. The sums are scaled to mean square 1, the coefficients so that a group has a sum of 1 on average.
     *
     * @param starts where each group's points start, and where the last one ends
     * @param coefficients what the value at each point counts in its group's sum
     * @param sums of each group
     */
    public Fit fitSums(int[] starts, float[] inputs, float[] coefficients, double[] sums, RandomStream random) {
        int[] groups = IntStream.range(0, sums.length)
                .filter(g -> starts[g + 1] > starts[g])
                .toArray();
        double[] scaled = scaled(sums);
        double total = 0;
        for (float coefficient : coefficients) {
            total += Math.abs(coefficient);
        }
        if (groups.length < 2 || scaled.length == 0 || !(total > 0)) {
            return new Fit(Double.NaN, 0);
        }
        int size = Math.min(GROUPS, groups.length);
        int each = Math.max(2, settings.points / 4);
        double unit = total / groups.length;
        Updates updates = new Updates();
        Minibatch batch = new Minibatch(size * each, size);
        for (int update = 0; update < settings.updates; update++) {
            random.shuffle(groups);
            batch.clear();
            for (int g = 0; g < size; g++) {
                int from = starts[groups[g]];
                int length = starts[groups[g] + 1] - from;
                int[] drawn = RandomSubset.draw(length, each, random).indices();
                batch.addGroup(scaled[groups[g]], drawn.length, length);
                for (int point : drawn) {
                    batch.addPoint(inputs, from + point, coefficients[from + point] / unit);
                }
            }
            updates.take(batch);
        }
        return updates.fit();
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

    /** Loss and gradient for sums over groups of points with these coefficients; for tests. */
    double loss(int[] starts, float[] inputs, double[] coefficients, double[] sums, float[] into) {
        Minibatch batch = new Minibatch(coefficients.length, sums.length);
        for (int g = 0; g < sums.length; g++) {
            batch.addGroup(sums[g], starts[g + 1] - starts[g], starts[g + 1] - starts[g]);
            for (int i = starts[g]; i < starts[g + 1]; i++) {
                batch.addPoint(inputs, i, coefficients[i]);
            }
        }
        double loss = batch.loss();
        System.arraycopy(gradient, 0, into, 0, into.length);
        return loss;
    }

    /** The matrix of two groups' sums without noise, as drawn points of each estimate it; for tests. */
    double[] sums(int[][] drawn, int[] lengths, float[] inputs, double[] coefficients) {
        Minibatch batch =
                new Minibatch(Arrays.stream(drawn).mapToInt(d -> d.length).sum(), drawn.length);
        for (int g = 0; g < drawn.length; g++) {
            batch.addGroup(0, drawn[g].length, lengths[g]);
            for (int i : drawn[g]) {
                batch.addPoint(inputs, i, coefficients[i]);
            }
        }
        network.forward(parameters, batch.workspace, batch.size);
        batch.fillSmooth();
        batch.fillSums();
        return batch.matrix;
    }

    /** Points in groups, of which sums are known; a value that is known by itself is a group of one. */
    private final class Minibatch {
        private int size;
        private int groups;
        private final int[] groupOf;
        private final double[] coefficients;
        /** How many points, or pairs of the same point, one that was drawn stands for. */
        private final double[] ones;
        /** How many pairs of two points of the group a drawn one stands for. */
        private final double[] pairs;

        private final Mlp.Workspace workspace;
        private final double[] smooth;
        private final double[] matrix;
        private final double[] y;
        private final double[] solution;
        private final double[] sums = new double[FEATURES];

        /** Room for so many points and groups. */
        Minibatch(int points, int sums) {
            this.groupOf = new int[points];
            this.coefficients = new double[points];
            this.ones = new double[sums];
            this.pairs = new double[sums];
            this.workspace = network.new Workspace(points);
            this.smooth = new double[points * points];
            this.matrix = new double[sums * sums];
            this.y = new double[sums];
            this.solution = new double[sums];
        }

        void clear() {
            size = 0;
            groups = 0;
        }

        /** The points that follow belong to it: so many, drawn from so many. */
        void addGroup(double sum, int drawn, int length) {
            ones[groups] = (double) length / drawn;
            pairs[groups] = drawn > 1 ? ones[groups] * (length - 1) / (drawn - 1) : 0;
            y[groups++] = sum;
        }

        /** c_i c_j, times the number of pairs that this one stands for. */
        private double coefficient(int i, int j) {
            int a = groupOf[i];
            int b = groupOf[j];
            double stands = a != b ? ones[a] * ones[b] : i == j ? ones[a] : pairs[a];
            return coefficients[i] * coefficients[j] * stands;
        }

        void addPoint(float[] inputs, int row, double coefficient) {
            int width = network.inputs();
            System.arraycopy(inputs, row * width, workspace.input(), size * width, width);
            groupOf[size] = groups - 1;
            coefficients[size++] = coefficient;
        }

        /** yᵀ k⁻¹ y + log det k, with its gradient in {@link #gradient}; NaN if k is not positive definite. */
        double loss() {
            network.forward(parameters, workspace, size);
            fillSmooth();
            double logDeterminant = invert();
            if (Double.isNaN(logDeterminant)) {
                return Double.NaN;
            }
            double quadratic = 0;
            for (int i = 0; i < groups; i++) {
                double sum = 0;
                for (int j = 0; j < groups; j++) {
                    sum += matrix[i * groups + j] * y[j];
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
                fillSums();
                for (int g = 0; g < groups; g++) {
                    matrix[g * groups + g] += noiseVariance() + jitter * diagonal;
                }
                double logDeterminant = PositiveDefinite.invert(matrix, groups);
                if (!Double.isNaN(logDeterminant)) {
                    return logDeterminant;
                }
            }
            return Double.NaN;
        }

        private void fillSums() {
            Arrays.fill(matrix, 0);
            for (int i = 0; i < size; i++) {
                int row = groupOf[i] * groups;
                for (int j = 0; j < size; j++) {
                    matrix[row + groupOf[j]] += coefficient(i, j) * smooth[i * size + j];
                }
            }
        }

        private void differentiate() {
            float[] f = workspace.output();
            float[] towards = workspace.outputGradient();
            double ofScale = 0;
            double trace = 0;
            for (int a = 0; a < groups; a++) {
                for (int b = 0; b < groups; b++) {
                    matrix[a * groups + b] -= solution[a] * solution[b];
                }
                trace += matrix[a * groups + a];
            }
            for (int i = 0; i < size; i++) {
                Arrays.fill(sums, 0);
                int row = groupOf[i] * groups;
                for (int j = 0; j < size; j++) {
                    double g = coefficient(i, j) * matrix[row + groupOf[j]];
                    double product = g * smooth[i * size + j];
                    ofScale += product;
                    for (int k = 0; k < FEATURES; k++) {
                        sums[k] += product * (f[i * FEATURES + k] - f[j * FEATURES + k]);
                    }
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

    /** Returns the names and shapes of the parameters in a checkpoint: the network's, λ, σ. */
    private ParameterLayout layout() {
        return network.layout().and("log_scale", 1).and("log_noise", 1);
    }

    /** Saves the parameters and the optimizer. */
    public void save(String name, Snapshot.Builder into) {
        layout().save(name, parameters, into);
        network.describe(name, "identity", into);
        adam.save(name + "/adam", layout(), into);
    }

    /**
     * Restores what {@link #save} saved.
     *
     * @throws IllegalArgumentException if the saved state does not fit
     */
    public void restore(String name, Snapshot saved) {
        layout().restore(name, saved, parameters);
        adam.restore(name + "/adam", layout(), saved);
    }
}
