package dev.pgkq.linalg;

/** The loops in plain Java: the fallback, and the oracle of the SIMD twin. */
final class PlainElementwise implements Elementwise {
    /** From here on the nearest float to tanh is 1. */
    static final double TANH_IS_ONE = 10;

    /** Partial sums of {@link #squaredNorm(float[])}. */
    static final int NORM_SUMS = 8;

    @Override
    public void addBias(float[] z, int rows, int columns, float[] bias, int offsetBias, boolean relu) {
        for (int r = 0; r < rows; r++) {
            addBias(z, r * columns, 0, columns, bias, offsetBias, relu);
        }
    }

    static void addBias(float[] z, int row, int from, int columns, float[] bias, int offsetBias, boolean relu) {
        for (int j = from; j < columns; j++) {
            float sum = z[row + j] + bias[offsetBias + j];
            z[row + j] = relu ? Math.max(sum, 0f) : sum;
        }
    }

    @Override
    public void reluBackward(float[] gradient, float[] activation, int length) {
        reluBackward(gradient, activation, 0, length);
    }

    static void reluBackward(float[] gradient, float[] activation, int from, int length) {
        for (int i = from; i < length; i++) {
            if (activation[i] == 0f) {
                gradient[i] = 0f;
            }
        }
    }

    @Override
    public void addColumnSums(float[] matrix, int rows, int columns, float[] sums, int offsetSums) {
        for (int r = 0; r < rows; r++) {
            for (int j = 0; j < columns; j++) {
                sums[offsetSums + j] += matrix[r * columns + j];
            }
        }
    }

    @Override
    public void affineRows(
            float[] x, int rows, int inputs, int outputs, float[] parameters, int offset, boolean relu, float[] y) {
        for (int r = 0; r < rows; r++) {
            affineRow(x, r, inputs, outputs, 0, parameters, offset, relu, y);
        }
    }

    /** Outputs {@code from} and up of one row. */
    static void affineRow(
            float[] x,
            int row,
            int inputs,
            int outputs,
            int from,
            float[] parameters,
            int offset,
            boolean relu,
            float[] y) {
        int bias = offset + inputs * outputs;
        for (int j = from; j < outputs; j++) {
            float sum = parameters[bias + j];
            for (int k = 0; k < inputs; k++) {
                sum = Math.fma(x[row * inputs + k], parameters[offset + k * outputs + j], sum);
            }
            y[row * outputs + j] = relu ? Math.max(sum, 0f) : sum;
        }
    }

    @Override
    public void tanh(float[] values, int length) {
        tanh(values, 0, length);
    }

    static void tanh(float[] values, int from, int length) {
        for (int i = from; i < length; i++) {
            values[i] = tanh(values[i]);
        }
    }

    /**
     * tanh 8y from tanh y. The seventh convergent p/q of the continued fraction approximates tanh y; then the argument
     * is doubled three times, by tanh 2y = 2pq / (p² + q²), which needs no division until the end.
     */
    private static float tanh(float x) {
        double y = Math.min(Math.max(x, -TANH_IS_ONE), TANH_IS_ONE) * 0.125;
        double s = y * y;
        double p = y * (135135 + s * (17325 + s * (378 + s)));
        double q = 135135 + s * (62370 + s * (3150 + s * 28));
        for (int doubling = 0; doubling < 3; doubling++) {
            double product = p * q;
            q = p * p + q * q;
            p = product + product;
        }
        return (float) (p / q);
    }

    @Override
    public double squaredNorm(float[] values) {
        double[] sums = new double[NORM_SUMS];
        squaredNorm(values, 0, sums);
        return total(sums);
    }

    /** Adds the squares of the values from index {@code from} on, a multiple of eight. */
    static void squaredNorm(float[] values, int from, double[] sums) {
        for (int i = from; i < values.length; i++) {
            double value = values[i];
            sums[i % NORM_SUMS] += value * value;
        }
    }

    static double total(double[] sums) {
        double total = 0;
        for (double sum : sums) {
            total += sum;
        }
        return total;
    }

    @Override
    public void add(float[] into, float[] from, int length) {
        add(into, from, 0, length);
    }

    static void add(float[] into, float[] from, int start, int length) {
        for (int i = start; i < length; i++) {
            into[i] += from[i];
        }
    }

    @Override
    public void adam(
            float[] parameters,
            float[] gradient,
            float[] m,
            float[] v,
            float rate,
            float beta1,
            float beta2,
            float vScale,
            float epsilon) {
        adam(parameters, gradient, m, v, 0, rate, beta1, beta2, vScale, epsilon);
    }

    static void adam(
            float[] parameters,
            float[] gradient,
            float[] m,
            float[] v,
            int from,
            float rate,
            float beta1,
            float beta2,
            float vScale,
            float epsilon) {
        float fresh1 = 1 - beta1;
        float fresh2 = 1 - beta2;
        for (int i = from; i < parameters.length; i++) {
            float g = gradient[i];
            m[i] = Math.fma(beta1, m[i], fresh1 * g);
            v[i] = Math.fma(beta2, v[i], fresh2 * (g * g));
            float scale = Math.fma((float) Math.sqrt(v[i]), vScale, epsilon);
            parameters[i] = parameters[i] - rate * m[i] / scale;
        }
    }

    @Override
    public String description() {
        return "plain Java loops";
    }
}
