package dev.pgkq.linalg;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** The part of {@link SimdElementwise} that reads floats and computes in doubles. */
final class SimdDoubles {
    /** Never more lanes than {@link PlainElementwise#NORM_SUMS}. */
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED.vectorBitSize() > 512
            ? DoubleVector.SPECIES_512
            : DoubleVector.SPECIES_PREFERRED;
    /** As many floats as there are doubles in a vector. */
    private static final VectorSpecies<Float> FLOATS =
            VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));

    private SimdDoubles() {}

    static void tanh(float[] values, int length) {
        int bound = DOUBLES.loopBound(length);
        for (int i = 0; i < bound; i += DOUBLES.length()) {
            DoubleVector y = load(values, i)
                    .max(-PlainElementwise.TANH_IS_ONE)
                    .min(PlainElementwise.TANH_IS_ONE)
                    .mul(0.125);
            DoubleVector s = y.mul(y);
            DoubleVector p = s.add(378).mul(s).add(17325).mul(s).add(135135).mul(y);
            DoubleVector q = s.mul(28).add(3150).mul(s).add(62370).mul(s).add(135135);
            for (int doubling = 0; doubling < 3; doubling++) {
                DoubleVector product = p.mul(q);
                q = p.mul(p).add(q.mul(q));
                p = product.add(product);
            }
            ((FloatVector) p.div(q).convertShape(VectorOperators.D2F, FLOATS, 0)).intoArray(values, i);
        }
        PlainElementwise.tanh(values, bound, length);
    }

    static double squaredNorm(float[] values) {
        double[] sums = new double[PlainElementwise.NORM_SUMS];
        int bound = values.length - values.length % sums.length;
        for (int lane = 0; lane < sums.length; lane += DOUBLES.length()) {
            DoubleVector sum = DoubleVector.zero(DOUBLES);
            for (int i = lane; i < bound; i += sums.length) {
                DoubleVector value = load(values, i);
                sum = sum.add(value.mul(value));
            }
            sum.intoArray(sums, lane);
        }
        PlainElementwise.squaredNorm(values, bound, sums);
        return PlainElementwise.total(sums);
    }

    private static DoubleVector load(float[] values, int at) {
        return (DoubleVector) FloatVector.fromArray(FLOATS, values, at).convertShape(VectorOperators.F2D, DOUBLES, 0);
    }
}
