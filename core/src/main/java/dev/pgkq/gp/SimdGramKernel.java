package dev.pgkq.gp;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops with the Vector API. A vector holds some or all of the 16 lanes; where it holds some, there is one pass
 * through the episode for each part of the lanes, which changes no lane's sum.
 *
 * <p>Four rows with two blocks make eight chains of multiply-adds, enough to hide their latency, and each value loaded
 * serves two or four of them. Billions of kernel values per second and core, 10 features, AVX-512 (a kernel in C with
 * intrinsics: 2.9); one run each of first drafts with constant sizes, and many runs of this one:
 *
 * <pre>
 *   rows × blocks, loop over the features   4 × 1: 1.8   2 × 2: 2.1   4 × 2: 2.2   4 × 4: 2.3
 *   same, ten features written out          4 × 1: 1.9   2 × 2: 1.6   4 × 2: 1.4   (broadcasts are hoisted, and spilled)
 *   same, broadcasts kept in registers      1 × 1: 1.7   2 × 1: 2.2   2 × 2: 2.1
 *   this one, sizes variable                4 × 2: 2.7   (2.2 if the compiler sees its constants, ParallelGC)
 * </pre>
 *
 * <p>The eight exponentials are written out. With a method for them, the compiler stops inlining after two, allocates
 * objects for the vectors of the others, and a fifth of the speed is left.
 */
final class SimdGramKernel implements GramKernel {
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED.length() > PackedSteps.LANES
            ? FloatVector.SPECIES_512
            : FloatVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Integer> INTS = VectorSpecies.of(int.class, FLOATS.vectorShape());
    private static final int LANES = PackedSteps.LANES;

    /** In an array, to hide the values from the compiler: it loads constants again for every use. */
    private static final float[] NUMBERS = {C0, C1, C2, C3, C4, C5, ROUNDER, FARTHEST};

    @Override
    public void pass(PackedSteps rows, int group, PackedSteps columns, int episode, float[] lanes) {
        for (int part = 0; part < LANES; part += FLOATS.length()) {
            part(rows, group, columns, episode, part, lanes);
        }
    }

    /** Lanes {@code part} and up. Names: a and b are the two blocks, 0 to 3 the four rows. */
    private static void part(PackedSteps from, int group, PackedSteps steps, int episode, int part, float[] lanes) {
        float[] rows = from.rows;
        float[] columns = steps.columns;
        int size = LANES * steps.stride;
        int row = group * ROWS * steps.stride;
        int dimensions = steps.dimensions;
        int firstFeature = 1 + dimensions;
        int stride = steps.stride;
        int pairs = (steps.firstBlock(episode + 1) - steps.firstBlock(episode)) / PackedSteps.BLOCKS_AT_ONCE;
        IntVector nearest = IntVector.zero(INTS);
        IntVector farthest = FloatVector.broadcast(FLOATS, NUMBERS[7]).reinterpretAsInts();
        FloatVector rounder = FloatVector.broadcast(FLOATS, NUMBERS[6]);
        FloatVector c0 = FloatVector.broadcast(FLOATS, NUMBERS[0]);
        FloatVector c1 = FloatVector.broadcast(FLOATS, NUMBERS[1]);
        FloatVector c2 = FloatVector.broadcast(FLOATS, NUMBERS[2]);
        FloatVector c3 = FloatVector.broadcast(FLOATS, NUMBERS[3]);
        FloatVector c4 = FloatVector.broadcast(FLOATS, NUMBERS[4]);
        FloatVector c5 = FloatVector.broadcast(FLOATS, NUMBERS[5]);
        FloatVector sum0 = FloatVector.zero(FLOATS);
        FloatVector sum1 = sum0;
        FloatVector sum2 = sum0;
        FloatVector sum3 = sum0;
        int a = steps.firstBlock(episode) * size + part;
        for (int pair = 0; pair < pairs; pair++) {
            int b = a + size;
            FloatVector squareA = FloatVector.fromArray(FLOATS, columns, a);
            FloatVector squareB = FloatVector.fromArray(FLOATS, columns, b);
            FloatVector square0 = FloatVector.broadcast(FLOATS, rows[row]);
            FloatVector square1 = FloatVector.broadcast(FLOATS, rows[row + 1]);
            FloatVector square2 = FloatVector.broadcast(FLOATS, rows[row + 2]);
            FloatVector square3 = FloatVector.broadcast(FLOATS, rows[row + 3]);
            FloatVector a0 = squareA.add(square0);
            FloatVector a1 = squareA.add(square1);
            FloatVector a2 = squareA.add(square2);
            FloatVector a3 = squareA.add(square3);
            FloatVector b0 = squareB.add(square0);
            FloatVector b1 = squareB.add(square1);
            FloatVector b2 = squareB.add(square2);
            FloatVector b3 = squareB.add(square3);
            for (int k = firstFeature; k < stride; k++) {
                FloatVector ya = FloatVector.fromArray(FLOATS, columns, a + k * LANES);
                FloatVector yb = FloatVector.fromArray(FLOATS, columns, b + k * LANES);
                FloatVector x0 = FloatVector.broadcast(FLOATS, rows[row + k * ROWS]);
                a0 = x0.fma(ya, a0);
                b0 = x0.fma(yb, b0);
                FloatVector x1 = FloatVector.broadcast(FLOATS, rows[row + k * ROWS + 1]);
                a1 = x1.fma(ya, a1);
                b1 = x1.fma(yb, b1);
                FloatVector x2 = FloatVector.broadcast(FLOATS, rows[row + k * ROWS + 2]);
                a2 = x2.fma(ya, a2);
                b2 = x2.fma(yb, b2);
                FloatVector x3 = FloatVector.broadcast(FLOATS, rows[row + k * ROWS + 3]);
                a3 = x3.fma(ya, a3);
                b3 = x3.fma(yb, b3);
            }

            // 2^−distance, as the plain twin explains it.
            a0 = a0.reinterpretAsInts().max(nearest).min(farthest).reinterpretAsFloats();
            FloatVector roundedA0 = a0.add(rounder);
            a0 = a0.sub(roundedA0.sub(rounder));
            a0 = c5.fma(a0, c4).fma(a0, c3).fma(a0, c2).fma(a0, c1).fma(a0, c0);
            a0 = a0.reinterpretAsInts()
                    .sub(roundedA0.reinterpretAsInts().lanewise(VectorOperators.LSHL, MANTISSA_BITS))
                    .reinterpretAsFloats();
            a1 = a1.reinterpretAsInts().max(nearest).min(farthest).reinterpretAsFloats();
            FloatVector roundedA1 = a1.add(rounder);
            a1 = a1.sub(roundedA1.sub(rounder));
            a1 = c5.fma(a1, c4).fma(a1, c3).fma(a1, c2).fma(a1, c1).fma(a1, c0);
            a1 = a1.reinterpretAsInts()
                    .sub(roundedA1.reinterpretAsInts().lanewise(VectorOperators.LSHL, MANTISSA_BITS))
                    .reinterpretAsFloats();
            a2 = a2.reinterpretAsInts().max(nearest).min(farthest).reinterpretAsFloats();
            FloatVector roundedA2 = a2.add(rounder);
            a2 = a2.sub(roundedA2.sub(rounder));
            a2 = c5.fma(a2, c4).fma(a2, c3).fma(a2, c2).fma(a2, c1).fma(a2, c0);
            a2 = a2.reinterpretAsInts()
                    .sub(roundedA2.reinterpretAsInts().lanewise(VectorOperators.LSHL, MANTISSA_BITS))
                    .reinterpretAsFloats();
            a3 = a3.reinterpretAsInts().max(nearest).min(farthest).reinterpretAsFloats();
            FloatVector roundedA3 = a3.add(rounder);
            a3 = a3.sub(roundedA3.sub(rounder));
            a3 = c5.fma(a3, c4).fma(a3, c3).fma(a3, c2).fma(a3, c1).fma(a3, c0);
            a3 = a3.reinterpretAsInts()
                    .sub(roundedA3.reinterpretAsInts().lanewise(VectorOperators.LSHL, MANTISSA_BITS))
                    .reinterpretAsFloats();
            b0 = b0.reinterpretAsInts().max(nearest).min(farthest).reinterpretAsFloats();
            FloatVector roundedB0 = b0.add(rounder);
            b0 = b0.sub(roundedB0.sub(rounder));
            b0 = c5.fma(b0, c4).fma(b0, c3).fma(b0, c2).fma(b0, c1).fma(b0, c0);
            b0 = b0.reinterpretAsInts()
                    .sub(roundedB0.reinterpretAsInts().lanewise(VectorOperators.LSHL, MANTISSA_BITS))
                    .reinterpretAsFloats();
            b1 = b1.reinterpretAsInts().max(nearest).min(farthest).reinterpretAsFloats();
            FloatVector roundedB1 = b1.add(rounder);
            b1 = b1.sub(roundedB1.sub(rounder));
            b1 = c5.fma(b1, c4).fma(b1, c3).fma(b1, c2).fma(b1, c1).fma(b1, c0);
            b1 = b1.reinterpretAsInts()
                    .sub(roundedB1.reinterpretAsInts().lanewise(VectorOperators.LSHL, MANTISSA_BITS))
                    .reinterpretAsFloats();
            b2 = b2.reinterpretAsInts().max(nearest).min(farthest).reinterpretAsFloats();
            FloatVector roundedB2 = b2.add(rounder);
            b2 = b2.sub(roundedB2.sub(rounder));
            b2 = c5.fma(b2, c4).fma(b2, c3).fma(b2, c2).fma(b2, c1).fma(b2, c0);
            b2 = b2.reinterpretAsInts()
                    .sub(roundedB2.reinterpretAsInts().lanewise(VectorOperators.LSHL, MANTISSA_BITS))
                    .reinterpretAsFloats();
            b3 = b3.reinterpretAsInts().max(nearest).min(farthest).reinterpretAsFloats();
            FloatVector roundedB3 = b3.add(rounder);
            b3 = b3.sub(roundedB3.sub(rounder));
            b3 = c5.fma(b3, c4).fma(b3, c3).fma(b3, c2).fma(b3, c1).fma(b3, c0);
            b3 = b3.reinterpretAsInts()
                    .sub(roundedB3.reinterpretAsInts().lanewise(VectorOperators.LSHL, MANTISSA_BITS))
                    .reinterpretAsFloats();

            // Where weights are numbers, a row's own is applied at the end; ⟨v, v'⟩ has to be computed here.
            FloatVector wa0 = FloatVector.fromArray(FLOATS, columns, a + LANES);
            FloatVector wb0 = FloatVector.fromArray(FLOATS, columns, b + LANES);
            FloatVector wa1 = wa0;
            FloatVector wa2 = wa0;
            FloatVector wa3 = wa0;
            FloatVector wb1 = wb0;
            FloatVector wb2 = wb0;
            FloatVector wb3 = wb0;
            if (dimensions > 1) {
                wa0 = FloatVector.zero(FLOATS);
                wa1 = wa0;
                wa2 = wa0;
                wa3 = wa0;
                wb0 = wa0;
                wb1 = wa0;
                wb2 = wa0;
                wb3 = wa0;
                for (int k = 1; k < firstFeature; k++) {
                    FloatVector wa = FloatVector.fromArray(FLOATS, columns, a + k * LANES);
                    FloatVector wb = FloatVector.fromArray(FLOATS, columns, b + k * LANES);
                    FloatVector v0 = FloatVector.broadcast(FLOATS, rows[row + k * ROWS]);
                    wa0 = v0.fma(wa, wa0);
                    wb0 = v0.fma(wb, wb0);
                    FloatVector v1 = FloatVector.broadcast(FLOATS, rows[row + k * ROWS + 1]);
                    wa1 = v1.fma(wa, wa1);
                    wb1 = v1.fma(wb, wb1);
                    FloatVector v2 = FloatVector.broadcast(FLOATS, rows[row + k * ROWS + 2]);
                    wa2 = v2.fma(wa, wa2);
                    wb2 = v2.fma(wb, wb2);
                    FloatVector v3 = FloatVector.broadcast(FLOATS, rows[row + k * ROWS + 3]);
                    wa3 = v3.fma(wa, wa3);
                    wb3 = v3.fma(wb, wb3);
                }
            }
            sum0 = wb0.fma(b0, wa0.fma(a0, sum0));
            sum1 = wb1.fma(b1, wa1.fma(a1, sum1));
            sum2 = wb2.fma(b2, wa2.fma(a2, sum2));
            sum3 = wb3.fma(b3, wa3.fma(a3, sum3));
            a = b + size;
        }
        FloatVector sum = FloatVector.zero(FLOATS);
        if (dimensions > 1) {
            sum = sum.add(sum0).add(sum1).add(sum2).add(sum3);
        } else {
            sum = sum0.fma(FloatVector.broadcast(FLOATS, rows[row + ROWS]), sum);
            sum = sum1.fma(FloatVector.broadcast(FLOATS, rows[row + ROWS + 1]), sum);
            sum = sum2.fma(FloatVector.broadcast(FLOATS, rows[row + ROWS + 2]), sum);
            sum = sum3.fma(FloatVector.broadcast(FLOATS, rows[row + ROWS + 3]), sum);
        }
        sum.intoArray(lanes, part);
    }
}
