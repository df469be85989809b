package dev.pgkq.gp;

import dev.pgkq.nn.Activation;
import dev.pgkq.nn.Adam;
import dev.pgkq.nn.Chunks;
import dev.pgkq.nn.InputScale;
import dev.pgkq.nn.Mlp;
import dev.pgkq.nn.ParameterLayout;
import dev.pgkq.nn.TargetUnits;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;
import dev.pgkq.text.Require;
import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A kernel between steps z = (s, a): a Gaussian of learned features, plus noise,
 *
 * <pre>
 *   k(z, z') = exp(λ − ‖f(z) − f(z')‖² / 20) + (1e-5 + e^σ) δ(z, z'),   f: D → D → D → 10.
 * </pre>
 *
 * <p>It is learned by maximum likelihood from values y ~ N(0, k) at points, or from sums of values over groups of
 * points. Each update is one step of Adam on the likelihood of a minibatch.
 *
 * <p>Start values of λ and σ are meant for values of mean square 1. {@linkplain TargetUnits#STANDARDIZED Standardized} values
 * are scaled to that in every fit. {@linkplain TargetUnits#RAW Raw} values are used as they are, and λ and σ start log(mean y²)
 * higher, with the y of the first fit: the same problem in the unit of y, except for the 1e-5. A fit from which nothing can be
 * learned, because all y are 0, is not the first.
 */
public final class DeepKernel {
    /** Number of features. */
    public static final int FEATURES = 10;

    /** The most sums in a minibatch. */
    private static final int MOST_GROUPS = 16;

    /** Of each sum in a minibatch, this fraction of the minibatch size is drawn as points, and at least two. */
    private static final int POINTS_PER_GROUP_DIVISOR = 4;

    private static final int LEAST_POINTS_PER_GROUP = 2;

    private final Settings settings;
    private final TargetUnits units;
    private final Mlp network;
    private final KernelParameters parameters;
    private final float[] gradient;
    private final Adam adam;
    private final Workers workers;

    /**
     * What a kernel starts from and how it learns.
     *
     * @param scale λ at the start, for values of mean square 1
     * @param noise σ at the start, for values of mean square 1
     * @param gain standard deviation of a feature for inputs of mean square 1, at the start
     * @param points M, points of a minibatch
     * @param updates minibatches per fit
     * @param learningRate of Adam
     */
    public record Settings(
            double scale, double noise, double gain, int points, KernelUpdates updates, double learningRate)
            implements Serializable {
        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException if a start value is not finite, the gain or the learning rate is not
         *     positive, or a minibatch has fewer than two points
         */
        public Settings {
            Require.finite("scale of the kernel", scale);
            Require.finite("noise of the kernel", noise);
            Require.positive("gain of the kernel", gain);
            Require.atLeast(2, "points of a kernel minibatch", points);
            Require.positive("learning rate of the kernel", learningRate);
        }

        /**
         * Creates settings with the same number of minibatches in every fit.
         *
         * @param scale λ at the start, for values of mean square 1
         * @param noise σ at the start, for values of mean square 1
         * @param gain standard deviation of a feature for inputs of mean square 1, at the start
         * @param points M, points of a minibatch
         * @param updates minibatches per fit
         * @param learningRate of Adam
         * @throws IllegalArgumentException if a value is out of range
         */
        public Settings(double scale, double noise, double gain, int points, int updates, double learningRate) {
            this(scale, noise, gain, points, new KernelUpdates.Fixed(updates), learningRate);
        }
    }

    /**
     * Creates a kernel of standardized values that has learned nothing yet.
     *
     * @param inputs D, the size of z
     * @param settings start values and learning
     * @param random draws the network's start values
     * @param workers share the work of {@link #embed}
     */
    public DeepKernel(int inputs, Settings settings, RandomStream random, Workers workers) {
        this(inputs, InputScale.NONE, settings, TargetUnits.STANDARDIZED, random, workers);
    }

    /**
     * Creates a kernel that has learned nothing yet.
     *
     * @param inputs D, the size of z
     * @param scale the live normalisation of the first components of z
     * @param settings start values and learning
     * @param units of the values that it learns from
     * @param random draws the network's start values
     * @param workers share the work of {@link #embed}
     */
    public DeepKernel(
            int inputs, InputScale scale, Settings settings, TargetUnits units, RandomStream random, Workers workers) {
        this.settings = settings;
        this.units = units;
        this.network = new Mlp(Activation.RELU, scale, inputs, inputs, inputs, FEATURES);
        this.parameters = KernelParameters.of(network);
        this.gradient = new float[parameters.values().length];
        this.adam = new Adam(gradient.length, settings.learningRate);
        this.workers = workers;
        network.initialize(parameters.values(), random, lastBound(inputs, settings.gain));
        start(0);
    }

    /** Sets λ and σ to their start values for y of this log(mean y²). */
    private void start(double logMeanSquare) {
        parameters.values()[parameters.scaleIndex()] = (float) (settings.scale + logMeanSquare);
        parameters.values()[parameters.noiseIndex()] = (float) (settings.noise + logMeanSquare);
    }

    /** Uniform weights on ±b have variance b² / 3; D of them give a sum of standard deviation {@code gain}. */
    private static double lastBound(int inputs, double gain) {
        return gain * Math.sqrt(3.0 / inputs);
    }

    /** {@return the live parameters: the network's, λ, σ} */
    public float[] parameters() {
        return parameters.values();
    }

    /** {@return λ} */
    public double scale() {
        return parameters.scale();
    }

    /** {@return σ} */
    public double noise() {
        return parameters.noise();
    }

    /** {@return 1e-5 + e^σ, the noise in the kernel of a step with itself} */
    public double noiseVariance() {
        return parameters.noiseVariance();
    }

    /** {@return the most points that a fit uses} */
    public int pointsPerFit() {
        return switch (settings.updates) {
            case KernelUpdates.Fixed(int updates) ->
                (int) Math.min(Integer.MAX_VALUE, (long) settings.points * updates);
            case KernelUpdates.Pass pass -> Integer.MAX_VALUE;
        };
    }

    /**
     * {@return whether it should not learn from what a network leaves of these rewards, because all of them are 0 and it has
     * learned nothing from raw values yet} Such residuals are the noise of the network's start values. Their unit is not that of
     * the rewards to come, so λ and σ must not start from it.
     *
     * @param rewards that were paid for
     */
    public boolean awaitsUnit(double[] rewards) {
        return units == TargetUnits.RAW
                && adam.steps() == 0
                && Arrays.stream(rewards).allMatch(reward -> reward == 0);
    }

    /**
     * Computes f(z) of each row. The bits of an episode do not depend on the other episodes.
     *
     * @param starts where each episode's rows start, and where the last one ends
     * @param inputs z, row by row
     * @return f(z), rows of {@link #FEATURES} values
     */
    public float[] embed(int[] starts, float[] inputs) {
        return network.forwardAll(parameters.values(), inputs, Chunks.of(starts), workers);
    }

    /**
     * The outcome of a fit.
     *
     * @param logLikelihood per point, the mean over the minibatches before each one's update; NaN if there was none
     * @param skipped minibatches left out because their matrix was not positive definite even with jitter
     */
    public record Fit(double logLikelihood, int skipped) {
        private static final Fit NONE = new Fit(Double.NaN, 0);
    }

    /**
     * Learns from values at points. Nothing is learned if there are fewer than two values, if all of them are 0, or if their
     * squares overflow.
     *
     * @param inputs z, row by row
     * @param values y of each row
     * @param random draws the minibatches
     * @return the outcome
     */
    public Fit fit(float[] inputs, double[] values, RandomStream random) {
        int count = values.length;
        int number = settings.updates.number(count, settings.points);
        if (count < 2 || number == 0) {
            return Fit.NONE;
        }
        double[] y = inUnits(values);
        if (y.length == 0) {
            return Fit.NONE;
        }
        int size = Math.min(settings.points, count);
        // a pass cuts all points into nearly equal parts; otherwise minibatches are full, and a remainder is left out
        boolean isPass = settings.updates instanceof KernelUpdates.Pass;
        int parts = isPass ? number : count / size;
        long used = isPass ? count : (long) parts * size;
        SumLikelihood batch = new SumLikelihood(parameters, size, size);
        Updates updates = new Updates();
        int[] order = new int[count];
        Arrays.setAll(order, i -> i);
        for (int update = 0; update < number; update++) {
            int part = update % parts;
            if (part == 0) {
                random.shuffle(order);
            }
            batch.clear();
            int end = (int) (used * (part + 1) / parts);
            for (int i = (int) (used * part / parts); i < end; i++) {
                batch.addGroup(y[order[i]], 1, 1);
                batch.addPoint(inputs, order[i], 1);
            }
            updates.descend(batch);
        }
        return updates.fit();
    }

    /**
     * Learns from sums of values over groups of points, each with one noise. Points are drawn anew from the groups for
     * every minibatch. Coefficients are scaled so that a group has a sum of 1 on average. Nothing is learned if there are fewer
     * than two groups with points, if all sums or all coefficients are 0, or if the squares of the sums overflow.
     *
     * @param starts where each group's points start, and where the last one ends
     * @param inputs z, row by row
     * @param coefficients the factor of each point's value in its group's sum
     * @param sums of each group
     * @param random draws groups and points
     * @return the outcome
     */
    public Fit fitSums(int[] starts, float[] inputs, float[] coefficients, double[] sums, RandomStream random) {
        int[] groups = IntStream.range(0, sums.length)
                .filter(g -> starts[g + 1] > starts[g])
                .toArray();
        double total = 0;
        for (float coefficient : coefficients) {
            total += Math.abs(coefficient);
        }
        int number = settings.updates.number(coefficients.length, settings.points);
        if (groups.length < 2 || number == 0 || !(total > 0)) {
            return Fit.NONE;
        }
        double[] y = inUnits(sums);
        if (y.length == 0) {
            return Fit.NONE;
        }
        int size = Math.min(MOST_GROUPS, groups.length);
        int each = Math.max(LEAST_POINTS_PER_GROUP, settings.points / POINTS_PER_GROUP_DIVISOR);
        double unit = total / groups.length;
        Updates updates = new Updates();
        SumLikelihood batch = new SumLikelihood(parameters, size * each, size);
        for (int update = 0; update < number; update++) {
            random.shuffle(groups);
            batch.clear();
            for (int g = 0; g < size; g++) {
                int from = starts[groups[g]];
                int length = starts[groups[g] + 1] - from;
                int[] drawn = random.subset(length, each);
                batch.addGroup(y[groups[g]], drawn.length, length);
                for (int point : drawn) {
                    batch.addPoint(inputs, from + point, coefficients[from + point] / unit);
                }
            }
            updates.descend(batch);
        }
        return updates.fit();
    }

    /**
     * Returns y to learn from: y / √(mean of y²), or y itself, to which λ and σ are adapted if nothing has been learned yet.
     * Empty if the mean is 0 or not finite, and there is nothing to learn.
     */
    private double[] inUnits(double[] values) {
        double squares = 0;
        for (double value : values) {
            squares += value * value;
        }
        double root = Math.sqrt(squares / values.length);
        if (!(root > 0 && Double.isFinite(root))) {
            return new double[0];
        }
        return switch (units) {
            case STANDARDIZED ->
                Arrays.stream(values).map(value -> value / root).toArray();
            case RAW -> {
                if (adam.steps() == 0) {
                    start(2 * Math.log(root));
                }
                yield values;
            }
        };
    }

    /** Descends minibatch by minibatch, and keeps the statistics of the fit. */
    private final class Updates {
        private double sum;
        private int used;
        private int skipped;

        void descend(SumLikelihood batch) {
            double loss = batch.loss(gradient);
            if (Double.isNaN(loss)) {
                skipped++;
            } else {
                used++;
                sum -= 0.5 * (loss / batch.groups() + Math.log(2 * Math.PI));
                adam.descend(parameters.values(), gradient);
            }
        }

        Fit fit() {
            return new Fit(used > 0 ? sum / used : Double.NaN, skipped);
        }
    }

    /** Room for the likelihood of a minibatch under this kernel, for tests. */
    SumLikelihood likelihood(int points, int sums) {
        return new SumLikelihood(parameters, points, sums);
    }

    /** Returns the names and shapes of the parameters in a checkpoint: the network's, λ, σ. */
    private ParameterLayout layout() {
        return network.layout().and("log_scale", 1).and("log_noise", 1);
    }

    /**
     * Adds the parameters and the optimiser's state to a checkpoint.
     *
     * @param name prefix of the entries' names
     * @param into the checkpoint
     */
    public void save(String name, Snapshot.Builder into) {
        layout().save(name, parameters.values(), into);
        network.describe(name, "identity", into);
        adam.save(name + "/adam", layout(), into);
    }

    /**
     * Restores what {@link #save} saved.
     *
     * @param name prefix of the entries' names
     * @param saved the checkpoint
     * @throws IllegalArgumentException if the saved state does not fit
     */
    public void restore(String name, Snapshot saved) {
        layout().restore(name, saved, parameters.values());
        adam.restore(name + "/adam", layout(), saved);
    }
}
