package dev.pgkq.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.function.ToDoubleFunction;

/** Checks a single-precision gradient against central differences of the same loss in double precision. */
public final class FiniteDifferences {
    private static final double STEP = 1e-6;
    /** Single precision carries 6e-8 per operation; sums of a few hundred terms stay far below this. */
    private static final double TOLERANCE = 2e-5;

    private FiniteDifferences() {}

    /** Compares {@code checks} randomly chosen partial derivatives, and the last {@code tail} ones. */
    public static void check(
            float[] gradient, double[] parameters, ToDoubleFunction<double[]> loss, int checks, int tail) {
        double scale = 0;
        for (float g : gradient) {
            scale = Math.max(scale, Math.abs(g));
        }
        assertThat(scale).as("a gradient of zeros proves nothing").isPositive();
        RandomStream random = RandomStream.of(5, Purpose.CHECK);
        for (int c = 0; c < checks + tail; c++) {
            int i = c < checks ? random.nextInt(parameters.length) : parameters.length - 1 - (c - checks);
            double saved = parameters[i];
            parameters[i] = saved + STEP;
            double above = loss.applyAsDouble(parameters);
            parameters[i] = saved - STEP;
            double below = loss.applyAsDouble(parameters);
            parameters[i] = saved;
            assertThat((double) gradient[i])
                    .as("∂/∂θ_%d", i)
                    .isCloseTo((above - below) / (2 * STEP), offset(TOLERANCE * scale));
        }
    }
}
