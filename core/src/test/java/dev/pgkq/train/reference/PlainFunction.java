package dev.pgkq.train.reference;

import dev.pgkq.random.RandomStream;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * V(s) or m(z): f(x) = μ + σ net(x), net: inputs → 200 → 100 → 1, fitted by least squares in units of σ. With raw targets,
 * μ = 0 and σ = 1.
 */
final class PlainFunction {
    /** Weight of the newest moments in the running ones. */
    private static final double NEW = 0.2;

    final PlainNetwork network;
    private double mean;
    private double variance = 1;
    private int updates;

    PlainFunction(RandomStream random, double learningRate, int inputs) {
        network = new PlainNetwork(random, 3e-3, learningRate, 0, inputs, 200, 100, 1);
    }

    /**
     * A target of the fit: Σ_i c_i f(x_i) should be y.
     *
     * @param inputs x_i; one of them, with c = 1, if values are known one by one
     * @param coefficients c_i
     * @param value y
     * @param weight of its squared error
     */
    record Target(List<double[]> inputs, double[] coefficients, double value, double weight) {
        static Target of(double[] input, double value, double weight) {
            return new Target(List.of(input), new double[] {1}, value, weight);
        }
    }

    double at(double[] input) {
        return mean + deviation() * network.output(input)[0];
    }

    /** {@return Σ_i c_i f(x_i)} */
    double sum(Target target) {
        double sum = 0;
        for (int i = 0; i < target.coefficients.length; i++) {
            sum += target.coefficients[i] * at(target.inputs.get(i));
        }
        return sum;
    }

    /** {@return σ, or 0 where the variance is nothing but rounding: the values are constant} */
    private double deviation() {
        double root = Math.sqrt(variance);
        return root <= 1e-6 * Math.abs(mean) ? 0 : root;
    }

    /** {@return μ and σ} */
    DoubleStream units() {
        return DoubleStream.of(mean, Math.sqrt(variance));
    }

    /**
     * Moves μ and σ² towards the mean and variance of new values. The function stays the same: the last layer is rewritten.
     * The first moments replace μ = 0 and σ = 1, which mean nothing, and the network keeps its start values.
     */
    void rescale(double newMean, double newVariance) {
        double oldMean = mean;
        double oldDeviation = deviation();
        updates++;
        double a = NEW / (1 - Math.pow(1 - NEW, updates));
        double d = newMean - mean;
        mean += a * d;
        // a may exceed 1 by rounding
        variance = Math.max(0, (1 - a) * (variance + a * d * d) + a * newVariance);
        if (updates > 1 && oldDeviation > 0 && deviation() > 0) {
            int last = network.layers();
            for (int i = 0; i < network.size(last - 1); i++) {
                network.parameters[network.weight(last, i, 0)] *= oldDeviation / deviation();
            }
            int bias = network.weight(last, network.size(last - 1), 0);
            network.parameters[bias] = (oldDeviation * network.parameters[bias] + oldMean - mean) / deviation();
        }
    }

    /**
     * Minimizes Σ_g w_g (Σ_i c_i f(x_i) − y_g)² / Σ_g w_g over the targets of each epoch, minibatch by minibatch.
     *
     * @return the mean loss of the minibatches of the last epoch, each before its update
     */
    double fit(List<Target> targets, List<Minibatch> minibatches) {
        double lossOfLastEpoch = 0;
        for (Minibatch minibatch : minibatches) {
            double total = 0;
            for (int g : minibatch.epoch()) {
                total += targets.get(g).weight;
            }
            if (!(total > 0) || deviation() == 0) {
                continue;
            }
            double[] gradient = new double[network.parameters.length];
            double loss = 0;
            for (int g : minibatch.indices()) {
                Target target = targets.get(g);
                double share = target.weight / (total * minibatch.share());
                List<double[][]> h =
                        target.inputs.stream().map(network::forward).toList();
                double error = -target.value / deviation();
                for (int i = 0; i < h.size(); i++) {
                    double output = h.get(i)[network.layers()][0];
                    error += target.coefficients[i] * (mean / deviation() + output);
                }
                loss += share * error * error;
                for (int i = 0; i < h.size(); i++) {
                    double slope = 2 * share * error * target.coefficients[i];
                    network.backward(h.get(i), new double[] {slope}, gradient);
                }
            }
            network.descend(gradient);
            lossOfLastEpoch += minibatch.last() ? minibatch.share() * loss * deviation() * deviation() : 0;
        }
        return lossOfLastEpoch;
    }
}
