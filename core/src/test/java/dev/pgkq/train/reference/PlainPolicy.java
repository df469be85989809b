package dev.pgkq.train.reference;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.train.Base;
import dev.pgkq.train.TrainSettings;
import java.util.Arrays;
import java.util.List;

/**
 * The Gaussian policy: a ~ N(μ(s), diag e^{2 log σ}), μ(s) = tanh net(s), net: observation → 200 → 100 → actions. After the
 * network's parameters come log σ, which start at −1.
 */
final class PlainPolicy {
    private static final double LOG_START = -1;

    final PlainNetwork network;
    private final int actions;
    private final TrainSettings settings;

    PlainPolicy(TrainSettings settings, int observations, int actions) {
        this.settings = settings;
        this.actions = actions;
        RandomStream random = RandomStream.of(settings.seed(), Purpose.POLICY_INIT);
        double rate = settings.policy().ascent().learningRate();
        network = new PlainNetwork(random, 3e-3, rate, actions, observations, 200, 100, actions);
        Arrays.fill(network.parameters, network.others(), network.parameters.length, LOG_START);
    }

    /**
     * A weighted sample of a policy step.
     *
     * @param s observation
     * @param a action
     * @param oldLogProb log π_old(a|s)
     * @param coefficient A
     */
    record Sample(double[] s, double[] a, double oldLogProb, double coefficient) {}

    /**
     * What a policy step did, measured on all samples after the last update.
     *
     * @param objective Σ of the surrogate
     * @param divergence mean of log π_old − log π
     * @param clipped share of clipped samples
     * @param gradientNorm mean norm of the gradients of the last epoch
     * @param entropy of the policy
     */
    record Step(double objective, double divergence, double clipped, double gradientNorm, double entropy) {}

    private double logSigma(int i) {
        return network.parameters[network.others() + i];
    }

    /** {@return log π(a|s), from the network's activations for s} */
    private double logProb(double[][] h, double[] a) {
        double[] outputs = h[network.layers()];
        double sum = 0;
        for (int i = 0; i < actions; i++) {
            double d = (a[i] - Math.tanh(outputs[i])) / Math.exp(logSigma(i));
            sum += -0.5 * d * d - logSigma(i) - 0.5 * Math.log(2 * Math.PI);
        }
        return sum;
    }

    /** Adds {@code factor} ∇ log π(a|s), from the network's activations for s. */
    private void addScore(double[][] h, double[] a, double factor, double[] gradient) {
        double[] ofOutputs = new double[actions];
        for (int i = 0; i < actions; i++) {
            double mean = Math.tanh(h[network.layers()][i]);
            double sigma = Math.exp(logSigma(i));
            double d = (a[i] - mean) / sigma;
            ofOutputs[i] = factor * d / sigma * (1 - mean * mean);
            gradient[network.others() + i] += factor * (d * d - 1);
        }
        network.backward(h, ofOutputs, gradient);
    }

    /**
     * {@return P s, the score projected to d dimensions: P has one random matrix of signs for the weights and bias of each
     * layer, an outer product of one sign for each input and one for each output, and one sign for each log σ, all over √d;
     * with d = 0 the score itself}
     */
    double[] projectedScore(double[] s, double[] a, int d) {
        double[] score = new double[network.parameters.length];
        addScore(network.forward(s), a, 1, score);
        if (d == 0) {
            return score;
        }
        RandomStream random = RandomStream.of(settings.seed(), Purpose.SCORE_PROJECTION);
        double[] projected = new double[d];
        for (int l = 1; l <= network.layers(); l++) {
            int inputs = network.size(l - 1) + 1;
            int outputs = network.size(l);
            int[][] ofInputs = signs(random, inputs, d);
            int[][] ofOutputs = signs(random, outputs, d);
            int first = network.weight(l, 0, 0);
            for (int i = 0; i < inputs; i++) {
                for (int j = 0; j < outputs; j++) {
                    for (int k = 0; k < d; k++) {
                        projected[k] += ofInputs[i][k] * ofOutputs[j][k] * score[first + i * outputs + j];
                    }
                }
            }
        }
        int[][] ofDeviations = signs(random, actions, d);
        for (int k = 0; k < d; k++) {
            for (int i = 0; i < actions; i++) {
                projected[k] += ofDeviations[i][k] * score[network.others() + i];
            }
            projected[k] /= Math.sqrt(d);
        }
        return projected;
    }

    private static int[][] signs(RandomStream random, int rows, int columns) {
        int[][] signs = new int[rows][columns];
        for (int[] row : signs) {
            for (int k = 0; k < columns; k++) {
                row[k] = random.nextDouble() < 0.5 ? -1 : 1;
            }
        }
        return signs;
    }

    /**
     * Ascends Σ_i L(log π(a_i|s_i) − log π_old(a_i|s_i), A_i) + bonus · entropy with Adam, minibatch by minibatch. A minibatch
     * of B of M samples estimates the sum by M/B times its own.
     */
    Step ascend(List<Sample> samples, int iteration) {
        TrainSettings.Policy how = settings.policy();
        double normOfLastEpoch = 0;
        List<Minibatch> minibatches = Minibatch.shuffled(
                how.ascent().minibatches(),
                samples.size(),
                epoch -> RandomStream.of(settings.seed(), Purpose.POLICY_SHUFFLE, iteration, epoch));
        for (Minibatch minibatch : minibatches) {
            double[] gradient = new double[network.parameters.length];
            for (int index : minibatch.indices()) {
                Sample sample = samples.get(index);
                double[][] h = network.forward(sample.s);
                double logRatio = logProb(h, sample.a) - sample.oldLogProb;
                addScore(h, sample.a, slope(logRatio, sample.coefficient) / minibatch.share(), gradient);
            }
            for (int i = 0; i < actions; i++) {
                gradient[network.others() + i] += how.ascent().entropyBonus();
            }
            double norm = 0;
            for (double g : gradient) {
                norm += g * g;
            }
            norm = Math.sqrt(norm);
            double factor = Math.min(1, how.ascent().maxGradientNorm() / norm);
            for (int i = 0; i < gradient.length; i++) {
                gradient[i] *= norm > 0 ? -factor : -1;
            }
            network.descend(gradient);
            normOfLastEpoch += minibatch.last() ? minibatch.share() * norm : 0;
        }
        return measure(samples, normOfLastEpoch);
    }

    private Step measure(List<Sample> samples, double norm) {
        double objective = 0;
        double divergence = 0;
        double clipped = 0;
        for (Sample sample : samples) {
            double logRatio = logProb(network.forward(sample.s), sample.a) - sample.oldLogProb;
            objective += value(logRatio, sample.coefficient);
            divergence -= logRatio / samples.size();
            clipped += sample.coefficient != 0 && slope(logRatio, sample.coefficient) == 0 ? 1.0 / samples.size() : 0;
        }
        double entropy = 0;
        for (int i = 0; i < actions; i++) {
            entropy += logSigma(i) + 0.5 * Math.log(2 * Math.PI * Math.E);
        }
        return new Step(objective, divergence, clipped, norm, entropy);
    }

    /** VPG: A ℓ. PPO: min(q A, clip(q, 1 − ε, 1 + ε) A) with q = e^ℓ. */
    private double value(double logRatio, double coefficient) {
        if (settings.algorithm().base() == Base.VPG) {
            return coefficient * logRatio;
        }
        double q = Math.exp(logRatio);
        double epsilon = settings.policy().clip();
        return Math.min(q * coefficient, Math.max(1 - epsilon, Math.min(1 + epsilon, q)) * coefficient);
    }

    /** The derivative of the value by ℓ: 0 where the clipped branch is the smaller one. */
    private double slope(double logRatio, double coefficient) {
        if (settings.algorithm().base() == Base.VPG) {
            return coefficient;
        }
        double q = Math.exp(logRatio);
        return value(logRatio, coefficient) < q * coefficient ? 0 : q * coefficient;
    }
}
