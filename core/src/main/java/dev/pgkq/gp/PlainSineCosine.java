package dev.pgkq.gp;

/** SineCosine in plain Java: the fallback, and the oracle of the SIMD twin. */
final class PlainSineCosine implements SineCosine {
    @Override
    public void of(float[] turns, int rows, int count, float[] into) {
        for (int row = 0; row < rows; row++) {
            of(turns, row, 0, count, into);
        }
    }

    /** Angles {@code from} and up of one row. */
    static void of(float[] turns, int row, int from, int count, float[] into) {
        for (int k = from; k < count; k++) {
            float angle = turns[row * count + k];
            float r = angle - (angle + ROUNDER - ROUNDER);
            float z = r * r;
            float cos = Math.fma(COS6, z, COS5);
            cos = Math.fma(cos, z, COS4);
            cos = Math.fma(cos, z, COS3);
            cos = Math.fma(cos, z, COS2);
            cos = Math.fma(cos, z, COS1);
            into[2 * row * count + k] = Math.fma(cos, z, COS0);
            float sin = Math.fma(SIN5, z, SIN4);
            sin = Math.fma(sin, z, SIN3);
            sin = Math.fma(sin, z, SIN2);
            sin = Math.fma(sin, z, SIN1);
            into[(2 * row + 1) * count + k] = Math.fma(sin, z, SIN0) * r;
        }
    }
}
