package dev.pgkq.train.reference;

import dev.pgkq.gp.DeepKernel;
import dev.pgkq.gp.KernelUpdates;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The kernel between steps, k(z, z') = exp(λ − ‖f(z) − f(z')‖² / 20) + (1e-5 + e^σ) δ(z, z'), with f: D → D → D → 10. After
 * the network's parameters come λ and σ.
 *
 * <p>It learns from y in units of √(mean y²), or from raw y. Then λ and σ start in the unit of the first y: log(mean y²) is
 * added to their start values.
 */
final class PlainKernel {
    private static final int FEATURES = 10;

    /** Tried one after another until a covariance is positive definite; shares of k of a step with itself. */
    private static final double[] JITTERS = {0, 1e-8, 1e-6, 1e-4, 1e-2};

    /** The most sums of a minibatch. */
    private static final int SUMS = 16;

    final PlainNetwork network;

    /** The parameters from which it learns. */
    double[] start;

    private final DeepKernel.Settings settings;
    private final boolean raw;

    PlainKernel(long seed, DeepKernel.Settings settings, boolean raw, int inputs) {
        this.settings = settings;
        this.raw = raw;
        // uniform weights on ±b have variance b²/3, and D of them give features of deviation "gain"
        double lastBound = settings.gain() * Math.sqrt(3.0 / inputs);
        RandomStream random = RandomStream.of(seed, Purpose.KERNEL_INIT);
        network = new PlainNetwork(random, lastBound, settings.learningRate(), 2, inputs, inputs, inputs, FEATURES);
        network.parameters[network.others()] = (float) settings.scale();
        network.parameters[network.others() + 1] = (float) settings.noise();
        start = network.parameters.clone();
    }

    double scale() {
        return network.parameters[network.others()];
    }

    double noise() {
        return network.parameters[network.others() + 1];
    }

    double noiseVariance() {
        return 1e-5 + Math.exp(noise());
    }

    double[] features(double[] z) {
        return network.output(z);
    }

    /** {@return k without noise, of two steps with these features} */
    double smooth(double[] f, double[] g) {
        double squares = 0;
        for (int i = 0; i < FEATURES; i++) {
            squares += (f[i] - g[i]) * (f[i] - g[i]);
        }
        return Math.exp(scale() - squares / 20);
    }

    /**
     * What a fit did.
     *
     * @param logLikelihood per value, mean over the minibatches before their updates; NaN if there was none
     * @param skipped minibatches whose covariance was not positive definite
     */
    record Fit(double logLikelihood, int skipped) {
        static final Fit NONE = new Fit(Double.NaN, 0);
    }

    /**
     * A value of a minibatch: y = Σ_i c_i r(z_i) over {@code length} steps of which some were drawn, plus noise.
     *
     * @param y the value
     * @param length number of steps in the sum
     * @param steps z_i of those that were drawn
     * @param coefficients c_i of those
     */
    private record Value(double y, int length, List<double[]> steps, double[] coefficients) {}

    /** Learns from values at steps, in minibatches of M steps or, in a pass, of at most M. */
    Fit fit(List<double[]> steps, double[] values, RandomStream random) {
        Optional<double[]> y = values.length < 2 ? Optional.empty() : inUnits(values);
        if (y.isEmpty()) {
            return Fit.NONE;
        }
        List<List<Value>> minibatches = new ArrayList<>();
        for (int[] indices : minibatches(values.length, random)) {
            List<Value> minibatch = new ArrayList<>();
            for (int i : indices) {
                minibatch.add(new Value(y.get()[i], 1, List.of(steps.get(i)), new double[] {1}));
            }
            minibatches.add(minibatch);
        }
        return descend(minibatches);
    }

    private List<int[]> minibatches(int steps, RandomStream random) {
        int[] order = new int[steps];
        Arrays.setAll(order, i -> i);
        List<int[]> all = new ArrayList<>();
        if (settings.updates() instanceof KernelUpdates.Pass) {
            // every step once, in minibatches of nearly equal size
            random.shuffle(order);
            Minibatches once = new Minibatches(1, updates(steps));
            Minibatch.of(once, epoch -> order).forEach(minibatch -> all.add(minibatch.indices()));
            return all;
        }
        int size = Math.min(settings.points(), steps);
        int at = steps;
        while (all.size() < updates(steps)) {
            if (at + size > steps) {
                random.shuffle(order);
                at = 0;
            }
            all.add(Arrays.copyOfRange(order, at, at + size));
            at += size;
        }
        return all;
    }

    /** {@return the number of minibatches: fixed, or what is needed for all steps, M at a time} */
    private int updates(int steps) {
        return switch (settings.updates()) {
            case KernelUpdates.Fixed(int count) -> count;
            case KernelUpdates.Pass pass -> (int) Math.ceil(steps / (double) settings.points());
        };
    }

    /**
     * Learns from sums Σ_t c_t r(z_t) of episodes, from up to 16 episodes and M/4 steps of each in a minibatch. In the units
     * of the fit, the coefficients of an episode add up to 1 on average.
     */
    Fit fitSums(List<List<double[]>> episodes, List<double[]> coefficients, double[] sums, RandomStream random) {
        List<Integer> nonempty = new ArrayList<>();
        double total = 0;
        int count = 0;
        for (int e = 0; e < sums.length; e++) {
            if (!episodes.get(e).isEmpty()) {
                nonempty.add(e);
            }
            for (double c : coefficients.get(e)) {
                total += c;
                count++;
            }
        }
        Optional<double[]> y = nonempty.size() < 2 ? Optional.empty() : inUnits(sums);
        if (y.isEmpty()) {
            return Fit.NONE;
        }
        double unit = total / nonempty.size();
        int[] order = nonempty.stream().mapToInt(e -> e).toArray();
        int each = Math.max(2, settings.points() / 4);
        List<List<Value>> minibatches = new ArrayList<>();
        for (int update = 0; update < updates(count); update++) {
            random.shuffle(order);
            List<Value> minibatch = new ArrayList<>();
            for (int i = 0; i < Math.min(SUMS, order.length); i++) {
                List<double[]> episode = episodes.get(order[i]);
                int[] drawn = random.subset(episode.size(), each);
                double[] c = new double[drawn.length];
                List<double[]> steps = new ArrayList<>();
                for (int k = 0; k < drawn.length; k++) {
                    c[k] = coefficients.get(order[i])[drawn[k]] / unit;
                    steps.add(episode.get(drawn[k]));
                }
                minibatch.add(new Value(y.get()[order[i]], episode.size(), steps, c));
            }
            minibatches.add(minibatch);
        }
        return descend(minibatches);
    }

    /** {@return y / √(mean y²), or raw y; empty if all are 0} In the unit of raw y, k is mean y² times as large. */
    private Optional<double[]> inUnits(double[] values) {
        double meanSquare = 0;
        for (double value : values) {
            meanSquare += value * value / values.length;
        }
        if (meanSquare == 0) {
            return Optional.empty();
        }
        if (raw && !network.hasLearned()) {
            network.parameters[network.others()] = settings.scale() + Math.log(meanSquare);
            network.parameters[network.others() + 1] = settings.noise() + Math.log(meanSquare);
            start = network.parameters.clone();
        }
        double unit = raw ? 1 : Math.sqrt(meanSquare);
        return Optional.of(Arrays.stream(values).map(value -> value / unit).toArray());
    }

    private Fit descend(List<List<Value>> minibatches) {
        double logLikelihood = 0;
        int used = 0;
        for (List<Value> minibatch : minibatches) {
            double[] gradient = new double[network.parameters.length];
            double loss = loss(minibatch, gradient);
            if (!Double.isNaN(loss)) {
                used++;
                logLikelihood -= 0.5 * (loss / minibatch.size() + Math.log(2 * Math.PI));
                network.descend(gradient);
            }
        }
        return new Fit(used > 0 ? logLikelihood / used : Double.NaN, minibatches.size() - used);
    }

    /**
     * {@return L = yᵀ k⁻¹ y + log det k, or NaN if k is not positive definite} Sets its gradient: with α = k⁻¹ y and
     * G = k⁻¹ − α αᵀ, the derivative of L by an entry of k is that of G.
     */
    private double loss(List<Value> values, double[] gradient) {
        int n = values.size();
        double[][] k = new double[n][n];
        Optional<PositiveDefinite> decomposed = Optional.empty();
        for (int j = 0; j < JITTERS.length && decomposed.isEmpty(); j++) {
            for (int a = 0; a < n; a++) {
                for (int b = 0; b < n; b++) {
                    k[a][b] = covariance(values.get(a), values.get(b), a == b);
                }
                k[a][a] += noiseVariance() + JITTERS[j] * (Math.exp(scale()) + noiseVariance());
            }
            decomposed = PositiveDefinite.of(k);
        }
        if (decomposed.isEmpty()) {
            return Double.NaN;
        }
        double[] y = values.stream().mapToDouble(Value::y).toArray();
        double[] alpha = decomposed.get().solve(y);
        double[][] inverse = decomposed.get().inverse();
        double loss = decomposed.get().logDeterminant();
        for (int a = 0; a < n; a++) {
            loss += y[a] * alpha[a];
            for (int b = 0; b < n; b++) {
                double g = inverse[a][b] - alpha[a] * alpha[b];
                addGradient(values.get(a), values.get(b), a == b, g, gradient);
            }
            gradient[network.others() + 1] += Math.exp(noise()) * (inverse[a][a] - alpha[a] * alpha[a]);
        }
        return loss;
    }

    /** {@return the covariance of two sums without noise, estimated from their drawn steps} */
    private double covariance(Value a, Value b, boolean same) {
        double sum = 0;
        for (int i = 0; i < a.steps.size(); i++) {
            for (int j = 0; j < b.steps.size(); j++) {
                sum += factor(a, b, same, i, j) * smooth(features(a.steps.get(i)), features(b.steps.get(j)));
            }
        }
        return sum;
    }

    /**
     * c_i c_j times the number of pairs of steps that a drawn pair stands for. Of L steps m were drawn: a step stands for L/m,
     * and two different steps of the same sum for L(L − 1) / (m(m − 1)).
     */
    private static double factor(Value a, Value b, boolean same, int i, int j) {
        double c = a.coefficients[i] * b.coefficients[j];
        double ofA = (double) a.length / a.steps.size();
        double ofB = (double) b.length / b.steps.size();
        if (!same) {
            return c * ofA * ofB;
        }
        return i == j ? c * ofA : c * ofA * (a.length - 1) / (a.steps.size() - 1);
    }

    /** Adds g times the derivative of the covariance of two sums. */
    private void addGradient(Value a, Value b, boolean same, double g, double[] gradient) {
        for (int i = 0; i < a.steps.size(); i++) {
            for (int j = 0; j < b.steps.size(); j++) {
                double[][] ofI = network.forward(a.steps.get(i));
                double[][] ofJ = network.forward(b.steps.get(j));
                double[] f = ofI[network.layers()];
                double[] h = ofJ[network.layers()];
                double term = g * factor(a, b, same, i, j) * smooth(f, h);
                gradient[network.others()] += term;
                double[] byF = new double[FEATURES];
                double[] byH = new double[FEATURES];
                for (int d = 0; d < FEATURES; d++) {
                    byF[d] = -term * (f[d] - h[d]) / 10;
                    byH[d] = -byF[d];
                }
                network.backward(ofI, byF, gradient);
                network.backward(ofJ, byH, gradient);
            }
        }
    }
}
