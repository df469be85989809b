package dev.pgkq.train.reference;

import dev.pgkq.random.RandomStream;
import java.util.Arrays;

/**
 * A fully connected network with ReLU between layers, h_l = max(0, W_lᵀ h_{l−1} + b_l), and Adam on its parameters and a few
 * more.
 *
 * <p>The parameters are W_1, b_1, W_2, b_2, …, with W_l row by row, inputs × outputs; then the others.
 */
final class PlainNetwork {
    private final int[] sizes;
    final double[] parameters;
    final double[] firstMoments;
    final double[] secondMoments;

    /** Whether the gradient of a parameter was ever so small against the largest one that float32 would lose it. */
    final boolean[] negligible;

    private final double learningRate;
    private int updates;

    /**
     * Hidden weights start uniform on ±√(6 / inputs), the last ones on ±{@code lastBound}, biases at 0.
     *
     * @param others number of parameters beside those of the network
     */
    PlainNetwork(RandomStream random, double lastBound, double learningRate, int others, int... sizes) {
        this.sizes = sizes;
        this.learningRate = learningRate;
        int count = parametersBelow(sizes.length) + others;
        this.parameters = new double[count];
        this.firstMoments = new double[count];
        this.secondMoments = new double[count];
        this.negligible = new boolean[count];
        for (int l = 1; l < sizes.length; l++) {
            double bound = l < sizes.length - 1 ? Math.sqrt(6.0 / sizes[l - 1]) : lastBound;
            for (int i = 0; i < sizes[l - 1] * sizes[l]; i++) {
                parameters[weight(l, 0, 0) + i] = (float) random.uniform(-bound, bound);
            }
        }
    }

    int layers() {
        return sizes.length - 1;
    }

    int size(int layer) {
        return sizes[layer];
    }

    /** {@return where the weight from unit i of layer l − 1 to unit j of layer l is} With i = inputs it is the bias of j. */
    int weight(int l, int i, int j) {
        return parametersBelow(l) + i * sizes[l] + j;
    }

    private int parametersBelow(int l) {
        int count = 0;
        for (int k = 1; k < l; k++) {
            count += (sizes[k - 1] + 1) * sizes[k];
        }
        return count;
    }

    /** {@return where the parameters that are not of the network start} */
    int others() {
        return parametersBelow(sizes.length);
    }

    /** {@return whether Adam has made a step} */
    boolean hasLearned() {
        return updates > 0;
    }

    /** {@return h_0 … h_L, the last one without ReLU} */
    double[][] forward(double[] input) {
        double[][] h = new double[sizes.length][];
        h[0] = input;
        for (int l = 1; l < sizes.length; l++) {
            h[l] = new double[sizes[l]];
            int first = weight(l, 0, 0);
            for (int j = 0; j < sizes[l]; j++) {
                h[l][j] = parameters[first + sizes[l - 1] * sizes[l] + j];
            }
            for (int i = 0; i < sizes[l - 1]; i++) {
                for (int j = 0; isOn(h, l - 1, i) && j < sizes[l]; j++) {
                    h[l][j] += h[l - 1][i] * parameters[first + i * sizes[l] + j];
                }
            }
            for (int j = 0; l < layers() && j < sizes[l]; j++) {
                h[l][j] = Math.max(0, h[l][j]);
            }
        }
        return h;
    }

    /** Whether a unit is not 0: nothing goes through the others, forward or backward. */
    private static boolean isOn(double[][] h, int l, int i) {
        return h[l][i] != 0;
    }

    double[] output(double[] input) {
        return forward(input)[layers()];
    }

    /** Adds ∂/∂parameters, where the derivative by the outputs is {@code ofOutputs}. */
    void backward(double[][] h, double[] ofOutputs, double[] gradient) {
        double[] delta = ofOutputs;
        for (int l = layers(); l >= 1; l--) {
            int first = weight(l, 0, 0);
            double[] below = new double[sizes[l - 1]];
            for (int j = 0; j < sizes[l]; j++) {
                gradient[first + sizes[l - 1] * sizes[l] + j] += delta[j];
            }
            for (int i = 0; i < sizes[l - 1]; i++) {
                for (int j = 0; isOn(h, l - 1, i) && j < sizes[l]; j++) {
                    gradient[first + i * sizes[l] + j] += h[l - 1][i] * delta[j];
                    below[i] += parameters[first + i * sizes[l] + j] * delta[j];
                }
            }
            delta = below;
        }
    }

    /** Takes a step of Adam against the gradient (Kingma and Ba, 2015). */
    void descend(double[] gradient) {
        updates++;
        double ofFirst = 1 - Math.pow(0.9, updates);
        double ofSecond = 1 - Math.pow(0.999, updates);
        double largest = Arrays.stream(gradient).map(Math::abs).max().orElseThrow();
        for (int i = 0; i < parameters.length; i++) {
            negligible[i] |= Math.abs(gradient[i]) < 1e-5 * largest;
            firstMoments[i] = 0.9 * firstMoments[i] + 0.1 * gradient[i];
            secondMoments[i] = 0.999 * secondMoments[i] + 0.001 * gradient[i] * gradient[i];
            double m = firstMoments[i] / ofFirst;
            double v = secondMoments[i] / ofSecond;
            parameters[i] -= learningRate * m / (Math.sqrt(v) + 1e-8);
        }
    }
}
