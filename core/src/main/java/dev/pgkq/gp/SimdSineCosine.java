package dev.pgkq.gp;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** SineCosine with the Vector API; angles that do not fill a vector are left to the plain twin. */
final class SimdSineCosine implements SineCosine {
    private static final VectorSpecies<Float> WIDE = FloatVector.SPECIES_PREFERRED;

    @Override
    public void of(float[] turns, int rows, int count, float[] into) {
        int bound = WIDE.loopBound(count);
        for (int row = 0; row < rows; row++) {
            row(turns, row, count, bound, into);
            PlainSineCosine.of(turns, row, bound, count, into);
        }
    }

    private static void row(float[] turns, int row, int count, int bound, float[] into) {
        FloatVector rounder = FloatVector.broadcast(WIDE, ROUNDER);
        FloatVector cos0 = FloatVector.broadcast(WIDE, COS0);
        FloatVector cos1 = FloatVector.broadcast(WIDE, COS1);
        FloatVector cos2 = FloatVector.broadcast(WIDE, COS2);
        FloatVector cos3 = FloatVector.broadcast(WIDE, COS3);
        FloatVector cos4 = FloatVector.broadcast(WIDE, COS4);
        FloatVector cos5 = FloatVector.broadcast(WIDE, COS5);
        FloatVector cos6 = FloatVector.broadcast(WIDE, COS6);
        FloatVector sin0 = FloatVector.broadcast(WIDE, SIN0);
        FloatVector sin1 = FloatVector.broadcast(WIDE, SIN1);
        FloatVector sin2 = FloatVector.broadcast(WIDE, SIN2);
        FloatVector sin3 = FloatVector.broadcast(WIDE, SIN3);
        FloatVector sin4 = FloatVector.broadcast(WIDE, SIN4);
        FloatVector sin5 = FloatVector.broadcast(WIDE, SIN5);
        for (int k = 0; k < bound; k += WIDE.length()) {
            FloatVector angle = FloatVector.fromArray(WIDE, turns, row * count + k);
            FloatVector r = angle.sub(angle.add(rounder).sub(rounder));
            FloatVector z = r.mul(r);
            cos6.fma(z, cos5)
                    .fma(z, cos4)
                    .fma(z, cos3)
                    .fma(z, cos2)
                    .fma(z, cos1)
                    .fma(z, cos0)
                    .intoArray(into, 2 * row * count + k);
            sin5.fma(z, sin4)
                    .fma(z, sin3)
                    .fma(z, sin2)
                    .fma(z, sin1)
                    .fma(z, sin0)
                    .mul(r)
                    .intoArray(into, (2 * row + 1) * count + k);
        }
    }
}
