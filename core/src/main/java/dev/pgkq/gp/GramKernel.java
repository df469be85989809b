package dev.pgkq.gp;

import dev.pgkq.linalg.Simd;

/**
 * The innermost loops of {@link ExactGram}. Implementations do the same floating-point operations in the same order and
 * agree to the last bit.
 */
interface GramKernel {
    /** Steps t that go through an episode together. */
    int ROWS = 4;

    /**
     * Takes the four steps of a group through the whole of an episode:
     *
     * <pre>
     *   lanes_l ← Σ_r Σ_u ⟨v_r, v_u⟩ 2^−d_ru   over the steps u of lane l, where
     *   d_ru    = |x_r|² + |x_u|² − 2 ⟨x_r, x_u⟩, held between 0 and {@link #FARTHEST}
     * </pre>
     *
     * <p>The group is one of {@code rows}, the episode one of {@code columns}, which may be the same.
     *
     * <p>Each ⟨·, ·⟩ is one chain of fused multiply-adds, ascending; the sums over u ascend, one for each r; then the
     * four rows are added in their order.
     */
    void pass(PackedSteps rows, int group, PackedSteps columns, int episode, float[] lanes);

    /** From here on 2^−d counts as 2^−126, the smallest normal float. */
    float FARTHEST = 126;

    /** The bits of floats that are not negative are ordered as the floats are: comparing bits holds d in its bounds. */
    int FARTHEST_BITS = Float.floatToRawIntBits(FARTHEST);

    /** 1.5 · 2²³: adding it to d rounds d to an integer, which is found in the lowest bits. */
    float ROUNDER = 0x1.8p23f;

    /** Bits of a float below its exponent. */
    int MANTISSA_BITS = 23;

    // The polynomial of degree 5 whose largest relative error against 2^−f on [−½, ½] is least: 7.5e−8.
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
