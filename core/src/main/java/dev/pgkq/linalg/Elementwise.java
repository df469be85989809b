package dev.pgkq.linalg;

/**
 * The loops of networks and optimisers that are not matrix products.
 *
 * <p>Every operation fixes the order of its floating-point operations per element. So the SIMD implementation and its
 * plain twin agree to the last bit, whatever the vector width, and the result for a row does not depend on the other
 * rows of the batch.
 */
public interface Elementwise {
    /**
     * Adds a bias to every row: z_rj ← z_rj + bias_j, then max(0, ·) if {@code relu}.
     *
     * @param z rows × columns values
     * @param rows of z
     * @param columns of z
     * @param bias holds the bias
     * @param offsetBias where the bias starts
     * @param relu whether negative values become 0
     */
    void addBias(float[] z, int rows, int columns, float[] bias, int offsetBias, boolean relu);

    /**
     * Goes back through ReLU: gradient_i ← 0 where activation_i is 0.
     *
     * @param gradient of the output, becomes that of the input
     * @param activation output of ReLU
     * @param length number of values
     */
    void reluBackward(float[] gradient, float[] activation, int length);

    /**
     * Adds up the columns of a matrix: sums_j ← sums_j + Σ_r matrix_rj, rows in ascending order.
     *
     * @param matrix rows × columns values
     * @param rows of the matrix
     * @param columns of the matrix
     * @param sums holds the sums
     * @param offsetSums where the sums start
     */
    void addColumnSums(float[] matrix, int rows, int columns, float[] sums, int offsetSums);

    /**
     * Applies a layer: y_rj ← bias_j + Σ_k x_rk W_kj, k ascending, each term by one fused multiply-add, then max(0, ·)
     * if {@code relu}.
     *
     * <p>Matrix libraries round a row differently depending on the number of rows. This method does not, so an episode
     * is the same on any number of threads.
     *
     * @param x rows × inputs values
     * @param rows of x and y
     * @param inputs columns of x
     * @param outputs columns of y
     * @param parameters hold W, inputs × outputs, followed by the bias
     * @param offset where W starts
     * @param relu whether negative values become 0
     * @param y rows × outputs values
     */
    void affineRows(
            float[] x, int rows, int inputs, int outputs, float[] parameters, int offset, boolean relu, float[] y);

    /**
     * Computes values_i ← tanh(values_i), to within one unit in the last place of a float.
     *
     * @param values replaced by their tanh
     * @param length number of values
     */
    void tanh(float[] values, int length);

    /**
     * Computes Σ values_i² in doubles: eight partial sums, each of every eighth value, added in their order.
     *
     * @param values to be squared
     * @return the sum of squares
     */
    double squaredNorm(float[] values);

    /**
     * Adds an array to another: into_i ← into_i + from_i.
     *
     * @param into is changed
     * @param from is added
     * @param length number of values
     */
    void add(float[] into, float[] from, int length);

    /**
     * Takes one step of Adam: m ← β₁ m + (1 − β₁) g, v ← β₂ v + (1 − β₂) g², θ ← θ − rate · m / (√v · vScale + ε).
     *
     * @param parameters θ
     * @param gradient g
     * @param m mean of gradients
     * @param v mean of squared gradients
     * @param rate learning rate with the bias correction of m
     * @param beta1 β₁
     * @param beta2 β₂
     * @param vScale bias correction of √v
     * @param epsilon ε
     */
    void adam(
            float[] parameters,
            float[] gradient,
            float[] m,
            float[] v,
            float rate,
            float beta1,
            float beta2,
            float vScale,
            float epsilon);

    /** {@return the kind of implementation, for people} */
    String description();

    /** {@return the SIMD loops where {@link Simd} is on, otherwise plain Java} */
    static Elementwise best() {
        return Simd.isOn() ? new SimdElementwise() : new PlainElementwise();
    }

    /** {@return plain Java, to compare with} */
    static Elementwise plain() {
        return new PlainElementwise();
    }
}
