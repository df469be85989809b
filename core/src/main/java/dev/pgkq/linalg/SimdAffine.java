package dev.pgkq.linalg;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@link Elementwise#affineRows} with the Vector API: wide vectors over the outputs, four rows at once, then narrow
 * vectors for the outputs left, then the plain twin for the rest.
 *
 * <p>The three kernels look alike and must not be merged: a vector lives in a register only where its species is a
 * constant to the compiler. With the species as a parameter, every operation allocates an object; that cost a tenth of
 * all sampling time.
 */
final class SimdAffine {
    private static final VectorSpecies<Float> WIDE = FloatVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Float> NARROW = FloatVector.SPECIES_128;
    private static final int ROW_BLOCK = 4;

    private SimdAffine() {}

    static void rows(
            float[] x, int rows, int inputs, int outputs, float[] parameters, int offset, boolean relu, float[] y) {
        int wide = WIDE.loopBound(outputs);
        int narrow = wide + NARROW.loopBound(outputs - wide);
        int r = 0;
        for (; r + ROW_BLOCK <= rows; r += ROW_BLOCK) {
            wideBlock(x, r, inputs, outputs, wide, parameters, offset, relu, y);
        }
        for (; r < rows; r++) {
            wideRow(x, r, inputs, outputs, wide, parameters, offset, relu, y);
        }
        for (r = 0; r < rows; r++) {
            narrowRow(x, r, inputs, outputs, wide, narrow, parameters, offset, relu, y);
            PlainElementwise.affineRow(x, r, inputs, outputs, narrow, parameters, offset, relu, y);
        }
    }

    /** Computes four rows at once: each vector of weights is loaded once for all of them. */
    private static void wideBlock(
            float[] x,
            int row,
            int inputs,
            int outputs,
            int bound,
            float[] parameters,
            int offset,
            boolean relu,
            float[] y) {
        int bias = offset + inputs * outputs;
        int x0 = row * inputs;
        int x1 = x0 + inputs;
        int x2 = x1 + inputs;
        int x3 = x2 + inputs;
        FloatVector floor = FloatVector.broadcast(WIDE, relu ? 0f : Float.NEGATIVE_INFINITY);
        for (int j = 0; j < bound; j += WIDE.length()) {
            FloatVector sum0 = FloatVector.fromArray(WIDE, parameters, bias + j);
            FloatVector sum1 = sum0;
            FloatVector sum2 = sum0;
            FloatVector sum3 = sum0;
            for (int k = 0; k < inputs; k++) {
                FloatVector weights = FloatVector.fromArray(WIDE, parameters, offset + k * outputs + j);
                sum0 = FloatVector.broadcast(WIDE, x[x0 + k]).fma(weights, sum0);
                sum1 = FloatVector.broadcast(WIDE, x[x1 + k]).fma(weights, sum1);
                sum2 = FloatVector.broadcast(WIDE, x[x2 + k]).fma(weights, sum2);
                sum3 = FloatVector.broadcast(WIDE, x[x3 + k]).fma(weights, sum3);
            }
            int target = row * outputs + j;
            sum0.max(floor).intoArray(y, target);
            sum1.max(floor).intoArray(y, target + outputs);
            sum2.max(floor).intoArray(y, target + 2 * outputs);
            sum3.max(floor).intoArray(y, target + 3 * outputs);
        }
    }

    private static void wideRow(
            float[] x,
            int row,
            int inputs,
            int outputs,
            int bound,
            float[] parameters,
            int offset,
            boolean relu,
            float[] y) {
        int bias = offset + inputs * outputs;
        FloatVector floor = FloatVector.broadcast(WIDE, relu ? 0f : Float.NEGATIVE_INFINITY);
        for (int j = 0; j < bound; j += WIDE.length()) {
            FloatVector sum = FloatVector.fromArray(WIDE, parameters, bias + j);
            for (int k = 0; k < inputs; k++) {
                FloatVector weights = FloatVector.fromArray(WIDE, parameters, offset + k * outputs + j);
                sum = FloatVector.broadcast(WIDE, x[row * inputs + k]).fma(weights, sum);
            }
            sum.max(floor).intoArray(y, row * outputs + j);
        }
    }

    private static void narrowRow(
            float[] x,
            int row,
            int inputs,
            int outputs,
            int from,
            int to,
            float[] parameters,
            int offset,
            boolean relu,
            float[] y) {
        int bias = offset + inputs * outputs;
        FloatVector floor = FloatVector.broadcast(NARROW, relu ? 0f : Float.NEGATIVE_INFINITY);
        for (int j = from; j < to; j += NARROW.length()) {
            FloatVector sum = FloatVector.fromArray(NARROW, parameters, bias + j);
            for (int k = 0; k < inputs; k++) {
                FloatVector weights = FloatVector.fromArray(NARROW, parameters, offset + k * outputs + j);
                sum = FloatVector.broadcast(NARROW, x[row * inputs + k]).fma(weights, sum);
            }
            sum.max(floor).intoArray(y, row * outputs + j);
        }
    }
}
