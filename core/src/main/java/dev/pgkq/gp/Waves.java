package dev.pgkq.gp;

import dev.pgkq.linalg.Simd;

/** Cosines and sines of many angles. Implementations agree to the last bit. */
interface Waves {
    /**
     * For each of {@code rows} rows of {@code count} angles, given in turns: waves ← count cosines, then count sines.
     * Angles of up to {@link #MOST_TURNS} turns; the error is below 1e−6.
     */
    void of(float[] turns, int rows, int count, float[] waves);

    /** Beyond, adding {@link #ROUNDER} no longer finds the nearest integer. */
    float MOST_TURNS = 0x1p22f;

    /** 1.5 · 2²³: adding it and taking it away again rounds to an integer. */
    float ROUNDER = 0x1.8p23f;

    // Polynomials in r² with the least largest error on |r| ≤ ½: 1.1e−8 for cos 2πr, 9.5e−8 for sin 2πr = r · (…).
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

    /** SIMD where the JVM has it. */
    static Waves best() {
        return Simd.isOn() ? new SimdWaves() : new PlainWaves();
    }
}
