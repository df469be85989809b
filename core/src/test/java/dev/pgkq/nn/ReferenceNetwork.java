package dev.pgkq.nn;

import java.util.function.DoubleUnaryOperator;

/** A network in double precision, written down from its definition: what gradients are checked against. */
public final class ReferenceNetwork {
    private ReferenceNetwork() {}

    /** Output of a ReLU network whose parameters are laid out W_1, b_1, W_2, b_2, … for one input. */
    public static double[] forward(double[] parameters, double[] input, int... sizes) {
        return forward(sum -> Math.max(0, sum), parameters, input, sizes);
    }

    /** Output of a network with another activation. */
    public static double[] forward(DoubleUnaryOperator activation, double[] parameters, double[] input, int... sizes) {
        double[] in = input;
        int at = 0;
        for (int l = 1; l < sizes.length; l++) {
            double[] out = new double[sizes[l]];
            for (int j = 0; j < sizes[l]; j++) {
                double sum = parameters[at + sizes[l - 1] * sizes[l] + j];
                for (int k = 0; k < sizes[l - 1]; k++) {
                    sum += in[k] * parameters[at + k * sizes[l] + j];
                }
                out[j] = l < sizes.length - 1 ? activation.applyAsDouble(sum) : sum;
            }
            at += (sizes[l - 1] + 1) * sizes[l];
            in = out;
        }
        return in;
    }

    public static double[] toDouble(float[] values) {
        double[] copy = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            copy[i] = values[i];
        }
        return copy;
    }

    public static double[] row(float[] matrix, int row, int columns) {
        double[] copy = new double[columns];
        for (int i = 0; i < columns; i++) {
            copy[i] = matrix[row * columns + i];
        }
        return copy;
    }
}
