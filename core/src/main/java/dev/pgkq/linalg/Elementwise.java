package dev.pgkq.linalg;

/**
 * The loops of networks and optimisers that are not matrix products.
 *
 * <p>Every operation fixes the order of its floating-point operations per element, so that the SIMD implementation and
 * its plain twin agree to the last bit, whatever the vector width, and the result for a row does not depend on which
 * other rows are in the batch.
 */
public interface Elementwise {
    /** z_rj ← z_rj + bias_j, then max(0, ·) if {@code relu}, for rows × columns values. */
    void addBias(float[] z, int rows, int columns, float[] bias, int offsetBias, boolean relu);

    /** gradient_i ← 0 where activation_i is 0: the way back through ReLU. */
    void reluBackward(float[] gradient, float[] activation, int length);

    /** sums_j ← sums_j + Σ_r matrix_rj, rows in ascending order. */
    void addColumnSums(float[] matrix, int rows, int columns, float[] sums, int offsetSums);

    /**
     * y_rj ← bias_j + Σ_k x_rk W_kj, k ascending, each term by one fused multiply-add, then max(0, ·) if {@code relu}.
     *
     * <p>Matrix libraries round a row differently depending on how many rows they are given. This one does not, which is
     * what makes an episode the same on any number of threads. W is inputs × outputs at {@code offset} of
     * {@code parameters}, followed by the bias.
     */
    void affineRows(
            float[] x, int rows, int inputs, int outputs, float[] parameters, int offset, boolean relu, float[] y);

    /** values_i ← tanh(values_i), to the last digit but one of a float. */
    void tanh(float[] values, int length);

    /** Σ values_i² in doubles: eight partial sums, of every eighth value each, added up in their order. */
    double squaredNorm(float[] values);

    /** into_i ← into_i + from_i. */
    void add(float[] into, float[] from, int length);

    /**
     * One step of Adam: m ← β₁ m + (1 − β₁) g, v ← β₂ v + (1 − β₂) g², θ ← θ − rate · m / (√v · vScale + ε), where rate
     * and vScale carry the bias corrections.
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

    /** What does the work, for people. */
    String description();

    /** Returns the SIMD loops where {@link Simd} is on, otherwise plain Java. */
    static Elementwise best() {
        return Simd.isOn() ? new SimdElementwise() : new PlainElementwise();
    }

    /** Plain Java, to compare with. */
    static Elementwise plain() {
        return new PlainElementwise();
    }
}
