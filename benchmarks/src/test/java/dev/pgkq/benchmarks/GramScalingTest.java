package dev.pgkq.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class GramScalingTest {
    @Test
    void theSlopeIsThePowerOfAPowerLaw() {
        int[] sizes = {16, 64, 200};
        double[] seconds = new double[sizes.length];
        for (int i = 0; i < sizes.length; i++) {
            seconds[i] = 3e-6 * Math.pow(sizes[i], 1.75);
        }

        assertThat(GramScaling.slope(sizes, seconds)).isCloseTo(1.75, within(1e-12));
    }
}
