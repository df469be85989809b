package dev.pgkq.train.reference;

import dev.pgkq.env.ActionSpace;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.train.Base;
import dev.pgkq.train.TrainSettings;
import java.util.Arrays;
import java.util.List;

/**
 * The policy, with net: observation → 200 → 100 → values of an encoded action.
 *
 * <p>Continuous actions: a ~ N(μ(s), diag e^{2 log σ}), μ(s) = tanh net(s). After the network's parameters come log σ, which
 * start at −1. Discrete actions: every part of net(s) has the logits of one choice, P(j) = e^{z_j} / Σ_k e^{z_k}, and a is
 * one-hot.
 */
final class PlainPolicy {
    private static final double LOG_START = -1;

    final PlainNetwork network;
    private final int actions;
    private final int[] categories;
    private final TrainSettings settings;

    PlainPolicy(TrainSettings settings, int observations, ActionSpace space) {
        this.settings = settings;
        this.actions = space.encodedSize();
        this.categories = space instanceof ActionSpace.Discrete discrete ? discrete.categories() : new int[0];
        RandomStream random = RandomStream.of(settings.seed(), Purpose.POLICY_INIT);
        double rate = settings.policy().ascent().learningRate();
        int deviations = isDiscrete() ? 0 : actions;
        network = new PlainNetwork(random, 3e-3, rate, deviations, observations, 200, 100, actions);
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
     * @param entropy mean of the policy's entropy in the states of the samples
     */
    record Step(double objective, double divergence, double clipped, double gradientNorm, double entropy) {}

    private boolean isDiscrete() {
        return categories.length > 0;
    }

    private double logSigma(int i) {
        return network.parameters[network.others() + i];
    }

    /** {@return log π(a|s), from the network's activations for s} */
    private double logProb(double[][] h, double[] a) {
        double[] outputs = h[network.layers()];
        double sum = 0;
        if (isDiscrete()) {
            double[] p = probabilities(outputs);
            for (int i = 0; i < actions; i++) {
                sum += a[i] * Math.log(p[i]);
            }
            return sum;
        }
        for (int i = 0; i < actions; i++) {
            double d = (a[i] - Math.tanh(outputs[i])) / Math.exp(logSigma(i));
            sum += -0.5 * d * d - logSigma(i) - 0.5 * Math.log(2 * Math.PI);
        }
        return sum;
    }

    private double[] probabilities(double[] logits) {
        double[] p = new double[actions];
        int first = 0;
        for (int count : categories) {
            double sum = 0;
            for (int j = first; j < first + count; j++) {
                sum += Math.exp(logits[j]);
            }
            for (int j = first; j < first + count; j++) {
                p[j] = Math.exp(logits[j]) / sum;
            }
            first += count;
        }
        return p;
    }

    /** {@return the entropy of π(·|s), from the network's activations for s} */
    private double entropy(double[][] h) {
        double entropy = 0;
        if (isDiscrete()) {
            for (double p : probabilities(h[network.layers()])) {
                entropy -= p * Math.log(p);
            }
            return entropy;
        }
        for (int i = 0; i < actions; i++) {
            entropy += logSigma(i) + 0.5 * Math.log(2 * Math.PI * Math.E);
        }
        return entropy;
    }

    /** Adds {@code factor} ∇ H(π(·|s)): of a softmax, ∂p_k/∂z_j = p_k (1{j = k} − p_j), within a part. */
    private void addEntropyGradient(double[][] h, double factor, double[] gradient) {
        if (!isDiscrete()) {
            for (int i = 0; i < actions; i++) {
                gradient[network.others() + i] += factor;
            }
            return;
        }
        double[] p = probabilities(h[network.layers()]);
        double[] ofLogits = new double[actions];
        int first = 0;
        for (int count : categories) {
            for (int j = first; j < first + count; j++) {
                for (int k = first; k < first + count; k++) {
                    ofLogits[j] -= factor * (Math.log(p[k]) + 1) * p[k] * ((j == k ? 1 : 0) - p[j]);
                }
            }
            first += count;
        }
        network.backward(h, ofLogits, gradient);
    }

    /** Adds {@code factor} ∇ log π(a|s), from the network's activations for s. */
    private void addScore(double[][] h, double[] a, double factor, double[] gradient) {
        double[] ofOutputs = new double[actions];
        double[] p = probabilities(h[network.layers()]);
        for (int i = 0; isDiscrete() && i < actions; i++) {
            ofOutputs[i] = factor * (a[i] - p[i]);
        }
        for (int i = 0; !isDiscrete() && i < actions; i++) {
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
        int deviations = network.parameters.length - network.others();
        int[][] ofDeviations = signs(random, deviations, d);
        for (int k = 0; k < d; k++) {
            for (int i = 0; i < deviations; i++) {
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
     * Ascends Σ_i L(log π(a_i|s_i) − log π_old(a_i|s_i), A_i) + bonus · mean_i H(π(·|s_i)) with Adam, minibatch by minibatch. A
     * minibatch of B of M samples estimates the sum by M/B times its own.
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
                addEntropyGradient(h, how.ascent().entropyBonus() / minibatch.indices().length, gradient);
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
        double entropy = 0;
        for (Sample sample : samples) {
            double[][] h = network.forward(sample.s);
            double logRatio = logProb(h, sample.a) - sample.oldLogProb;
            entropy += entropy(h) / samples.size();
            objective += value(logRatio, sample.coefficient);
            divergence -= logRatio / samples.size();
            clipped += sample.coefficient != 0 && slope(logRatio, sample.coefficient) == 0 ? 1.0 / samples.size() : 0;
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
