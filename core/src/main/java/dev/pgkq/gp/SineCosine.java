package dev.pgkq.gp;

import dev.pgkq.linalg.Simd;

/** Cosines and sines of many angles. Implementations agree to the last bit. */
interface SineCosine {
    /**
     * Computes cosines and sines to within 1e−6.
     *
     * @param turns rows of {@code count} angles in turns, each of at most {@link #MOST_TURNS}
     * @param into for each row, {@code count} cosines followed by {@code count} sines
     */
    void of(float[] turns, int rows, int count, float[] into);

    /** For larger angles, adding {@link #ROUNDER} does not find the nearest integer. */
    float MOST_TURNS = 0x1p22f;

    /** 1.5 · 2²³: adding and subtracting it rounds to an integer. */
    float ROUNDER = 0x1.8p23f;

    // Minimax polynomials in r² on |r| ≤ ½; errors are at most 1.1e−8 for cos 2πr, 9.5e−8 for sin 2πr = r · (…).
    float COS0 = 0.9999999891722797f;
    float COS1 = -19.739204532094906f;
    float COS2 = 64.9391189839087f;
    float COS3 = -85.45016555050718f;
    float COS4 = 60.167831732488956f;
    float COS5 = -25.968313305259095f;
    float COS6 = 6.52961041891553f;
    float SIN0 = 6.2831828185554235f;
    float SIN1 = -41.34142139902761f;
    float SIN2 = 81.59618388035949f;
    float SIN3 = -76.5801005905914f;
    float SIN4 = 41.20539511521675f;
    float SIN5 = -12.27126270445493f;

    /** Returns the SIMD loops where {@link Simd} is on, otherwise plain Java. */
    static SineCosine best() {
        return Simd.isOn() ? new SimdSineCosine() : new PlainSineCosine();
    }
}
