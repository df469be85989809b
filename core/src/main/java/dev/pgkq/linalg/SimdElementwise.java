package dev.pgkq.linalg;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops with the Vector API. Vectors run over independent outputs, never along a sum, so each element sees the same
 * operations in the same order as in {@link PlainElementwise}. Elements that do not fill a vector are left to the plain
 * twin.
 */
final class SimdElementwise implements Elementwise {
    private static final VectorSpecies<Float> WIDE = FloatVector.SPECIES_PREFERRED;

    @Override
    public void addBias(float[] z, int rows, int columns, float[] bias, int offsetBias, boolean relu) {
        int bound = WIDE.loopBound(columns);
        FloatVector floor = FloatVector.broadcast(WIDE, relu ? 0f : Float.NEGATIVE_INFINITY);
        for (int r = 0; r < rows; r++) {
            int row = r * columns;
            for (int j = 0; j < bound; j += WIDE.length()) {
                FloatVector.fromArray(WIDE, z, row + j)
                        .add(FloatVector.fromArray(WIDE, bias, offsetBias + j))
                        .max(floor)
                        .intoArray(z, row + j);
            }
            PlainElementwise.addBias(z, row, bound, columns, bias, offsetBias, relu);
        }
    }

    @Override
    public void reluBackward(float[] gradient, float[] activation, int length) {
        int bound = WIDE.loopBound(length);
        for (int i = 0; i < bound; i += WIDE.length()) {
            var dead = FloatVector.fromArray(WIDE, activation, i).compare(VectorOperators.EQ, 0f);
            FloatVector.fromArray(WIDE, gradient, i).blend(0f, dead).intoArray(gradient, i);
        }
        PlainElementwise.reluBackward(gradient, activation, bound, length);
    }

    @Override
    public void addColumnSums(float[] matrix, int rows, int columns, float[] sums, int offsetSums) {
        int bound = WIDE.loopBound(columns);
        for (int j = 0; j < bound; j += WIDE.length()) {
            FloatVector sum = FloatVector.fromArray(WIDE, sums, offsetSums + j);
            for (int r = 0; r < rows; r++) {
                sum = sum.add(FloatVector.fromArray(WIDE, matrix, r * columns + j));
            }
            sum.intoArray(sums, offsetSums + j);
        }
        for (int r = 0; r < rows; r++) {
            for (int j = bound; j < columns; j++) {
                sums[offsetSums + j] += matrix[r * columns + j];
            }
        }
    }

    @Override
    public void affineRows(
            float[] x, int rows, int inputs, int outputs, float[] parameters, int offset, boolean relu, float[] y) {
        SimdAffine.rows(x, rows, inputs, outputs, parameters, offset, relu, y);
    }

    @Override
    public void tanh(float[] values, int length) {
        SimdDoubles.tanh(values, length);
    }

    @Override
    public double squaredNorm(float[] values) {
        return SimdDoubles.squaredNorm(values);
    }

    @Override
    public void add(float[] into, float[] from, int length) {
        int bound = WIDE.loopBound(length);
        for (int i = 0; i < bound; i += WIDE.length()) {
            FloatVector.fromArray(WIDE, into, i)
                    .add(FloatVector.fromArray(WIDE, from, i))
                    .intoArray(into, i);
        }
        PlainElementwise.add(into, from, bound, length);
    }

    @Override
    public void adam(
            float[] parameters,
            float[] gradient,
            float[] m,
            float[] v,
            float rate,
            float beta1,
            float beta2,
            float vScale,
            float epsilon) {
        FloatVector beta1s = FloatVector.broadcast(WIDE, beta1);
        FloatVector beta2s = FloatVector.broadcast(WIDE, beta2);
        FloatVector vScales = FloatVector.broadcast(WIDE, vScale);
        FloatVector epsilons = FloatVector.broadcast(WIDE, epsilon);
        int bound = WIDE.loopBound(parameters.length);
        for (int i = 0; i < bound; i += WIDE.length()) {
            FloatVector g = FloatVector.fromArray(WIDE, gradient, i);
            FloatVector mNew = beta1s.fma(FloatVector.fromArray(WIDE, m, i), g.mul(1 - beta1));
            FloatVector vNew =
                    beta2s.fma(FloatVector.fromArray(WIDE, v, i), g.mul(g).mul(1 - beta2));
            mNew.intoArray(m, i);
            vNew.intoArray(v, i);
            FloatVector scale = vNew.sqrt().fma(vScales, epsilons);
            FloatVector.fromArray(WIDE, parameters, i)
                    .sub(mNew.mul(rate).div(scale))
                    .intoArray(parameters, i);
        }
        PlainElementwise.adam(parameters, gradient, m, v, bound, rate, beta1, beta2, vScale, epsilon);
    }

    @Override
    public String description() {
        return WIDE.vectorBitSize() + "-bit SIMD (" + WIDE.length() + " floats)";
    }
}
