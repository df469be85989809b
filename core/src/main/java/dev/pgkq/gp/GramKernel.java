package dev.pgkq.gp;

import dev.pgkq.linalg.Simd;

/**
 * The innermost loops of {@link ExactGram}. Implementations do the same floating-point operations in the same order and
 * agree to the last bit.
 */
interface GramKernel {
    /** Steps t of a group, which pass through an episode together. */
    int ROWS = 4;

    /**
     * Passes the four steps of a group through an episode:
     *
     * <pre>
     *   lanes_l ← Σ_r Σ_u ⟨v_r, v_u⟩ 2^−d_ru   over the steps u of lane l, where
     *   d_ru    = |x_r|² + |x_u|² − 2 ⟨x_r, x_u⟩, clamped to 0 … {@link #FARTHEST}
     * </pre>
     *
     * <p>The group is one of {@code rows}, the episode one of {@code columns}, which may be the same.
     *
     * <p>Each ⟨·, ·⟩ is one chain of fused multiply-adds, ascending; the sums over u ascend, one for each r; then the
     * four rows are added in their order.
     */
    void pass(PackedSteps rows, int group, PackedSteps columns, int episode, float[] lanes);

    /** Distances above this count as this: 2^−126 is the smallest normal float. */
    float FARTHEST = 126;

    /** Bits of non-negative floats have the order of the floats, so d can be clamped by comparing bits. */
    int FARTHEST_BITS = Float.floatToRawIntBits(FARTHEST);

    /** 1.5 · 2²³: adding it to d rounds d to an integer, which is then in the lowest bits. */
    float ROUNDER = 0x1.8p23f;

    /** Bits of a float below its exponent. */
    int MANTISSA_BITS = 23;

    // The minimax polynomial of degree 5 for 2^−f on [−½, ½]; its relative error is at most 7.5e−8.
    float C0 = 1.0000000716546824f;
    float C1 = -0.693146967064733f;
    float C2 = 0.24022119723848384f;
    float C3 = -0.055507132735428406f;
    float C4 = 0.009675541334219133f;
    float C5 = -0.001327647197940257f;

    /** Returns the SIMD loops where {@link Simd} is on, otherwise plain Java. */
    static GramKernel best() {
        return Simd.isOn() ? new SimdGramKernel() : new PlainGramKernel();
    }
}
