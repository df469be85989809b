package dev.pgkq.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StudentTTest {
    /** Published tables of the distribution. */
    @ParameterizedTest
    @CsvSource({
        "1, 0.975, 12.706",
        "2.5, 0.95, 2.558",
        "2, 0.975, 4.303",
        "3, 0.95, 2.353",
        "4, 0.975, 2.776",
        "5, 0.995, 4.032",
        "9, 0.975, 2.262",
        "30, 0.975, 2.042",
        "120, 0.975, 1.980"
    })
    void quantilesAreThoseOfTheTables(double degrees, double probability, double quantile) {
        assertThat(StudentT.quantile(degrees, probability)).isCloseTo(quantile, offset(5e-4));
    }

    /** With one degree of freedom it is Cauchy's distribution. */
    @Test
    void oneDegreeOfFreedomIsCauchy() {
        for (double t : new double[] {0, 0.3, 1, 5, 100}) {
            assertThat(StudentT.probabilityBelow(1, t)).isCloseTo(0.5 + Math.atan(t) / Math.PI, offset(1e-9));
        }
    }

    @Test
    void theIntervalOfAMeanIsItsStandardErrorTimesTheQuantile() {
        Interval interval = StudentT.ofMean(new double[] {1, 2, 3, 4, 5}, 0.95);
        double half = 2.776 * Math.sqrt(2.5 / 5);
        assertThat(interval.low()).isCloseTo(3 - half, offset(1e-3));
        assertThat(interval.high()).isCloseTo(3 + half, offset(1e-3));
        assertThat(StudentT.ofMean(new double[] {1}, 0.95).high()).isInfinite();
    }
}
