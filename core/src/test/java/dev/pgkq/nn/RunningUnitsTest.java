package dev.pgkq.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.state.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunningUnitsTest {
    private static final double[] MEANS = {3, -1, 4, 1, 5, 9, 2, 6};
    private static final double[] DEVIATIONS = {0.5, 2, 0, 1, 3, 0.25, 1, 1};

    private static Units after(int iterations, double factor, double shift) {
        RunningUnits units = new RunningUnits();
        for (int k = 0; k < iterations; k++) {
            units.add(new Units(factor * MEANS[k] + shift, factor * DEVIATIONS[k]));
        }
        return units.current();
    }

    @Test
    void nothingIsKnownAtFirstAndTheFirstIterationIsTakenAsItIs() {
        assertThat(new RunningUnits().current()).isEqualTo(Units.UNKNOWN);
        assertThat(after(1, 1, 0)).isEqualTo(new Units(3, 0.5));
    }

    /** A mixture of the iterations with weights 0.8^age has this mean and this variance. */
    @Test
    void unitsAreThoseOfAMixtureInWhichOlderIterationsCountLess() {
        for (int n = 1; n <= MEANS.length; n++) {
            double total = 0;
            double mean = 0;
            double square = 0;
            for (int k = 0; k < n; k++) {
                double weight = Math.pow(0.8, n - 1 - k);
                total += weight;
                mean += weight * MEANS[k];
                square += weight * (MEANS[k] * MEANS[k] + DEVIATIONS[k] * DEVIATIONS[k]);
            }
            mean /= total;
            Units found = after(n, 1, 0);
            assertThat(found.offset()).isCloseTo(mean, offset(1e-5));
            assertThat(found.scale()).isCloseTo(Math.sqrt(square / total - mean * mean), offset(1e-5));
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0x1p-60, 0x1p-3, 2, 0x1p60})
    void aPowerOfTwoIsFollowedToTheLastBit(double factor) {
        Units plain = after(8, 1, 0);
        assertThat(after(8, factor, 0)).isEqualTo(new Units(factor * plain.offset(), factor * plain.scale()));
    }

    @Test
    void anOffsetIsFollowed() {
        Units plain = after(8, 1, 0);
        Units shifted = after(8, 1, 1000);
        assertThat(shifted.offset()).isCloseTo(plain.offset() + 1000, offset(1e-3));
        assertThat(shifted.scale()).isCloseTo(plain.scale(), offset(1e-3));
    }

    @Test
    void valuesThatDifferByRoundingOnlyAreEqual() {
        RunningUnits units = new RunningUnits();
        units.add(new Units(1e3, 1e-10));
        assertThat(units.current()).isEqualTo(new Units(1e3, 0));
        units.add(new Units(1e3, 1));
        assertThat(units.current().scale()).isPositive();
    }

    @Test
    void aRestoredOneContinuesWithTheSameBits() {
        RunningUnits kept = new RunningUnits();
        RunningUnits restored = new RunningUnits();
        for (int k = 0; k < MEANS.length; k++) {
            kept.add(new Units(MEANS[k] / 3, DEVIATIONS[k] / 7));
            Snapshot.Builder builder = new Snapshot.Builder();
            (k < 4 ? kept : restored).save("units", builder);
            RunningUnits next = new RunningUnits();
            next.restore("units", builder.build());
            if (k >= 4) {
                next.add(new Units(MEANS[k] / 3, DEVIATIONS[k] / 7));
            }
            restored = next;
        }
        assertThat(restored.current()).isEqualTo(kept.current());
    }
}
