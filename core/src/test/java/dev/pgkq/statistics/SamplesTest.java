package dev.pgkq.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SamplesTest {
    @Test
    void meanAndStandardErrorByHand() {
        // 2, 4, 9: mean 5, squares 9 + 1 + 16 = 26, variance 13
        assertThat(Samples.mean(2, 4, 9)).isEqualTo(5);
        assertThat(Samples.standardError(2, 4, 9)).isCloseTo(Math.sqrt(13.0 / 3), within(1e-15));
    }

    @Test
    void oneValueHasNoError() {
        assertThat(Samples.standardError(7)).isNaN();
        assertThat(Samples.mean()).isNaN();
    }

    @ParameterizedTest
    @CsvSource({"0,1", "0.25,2", "0.5,3", "0.6,3.4", "0.9,4.6", "1,5"})
    void quantilesAreInterpolatedBetweenNeighbours(double share, double expected) {
        assertThat(Samples.quantile(new double[] {5, 3, 1, 2, 4}, share)).isCloseTo(expected, within(1e-12));
    }

    @Test
    void theMedianAllowsInfiniteValues() {
        double never = Double.POSITIVE_INFINITY;
        assertThat(Samples.median(never, 10, 20)).isEqualTo(20);
        assertThat(Samples.median(never, 10, never)).isInfinite();
        assertThat(Samples.median(never, 10)).isInfinite();
    }

    /** Of twelve values, three are dropped at either end, and the mean of the middle six is 6.5. */
    @Test
    void theInterquartileMeanOfTwelveByHand() {
        assertThat(Samples.interquartileMean(12, 1, 11, 2, 10, 3, 9, 4, 8, 5, 7, 6))
                .isEqualTo(6.5);
        // outliers in the outer quarters do not count
        assertThat(Samples.interquartileMean(1e9, -1e9, 11, 2, -10, 3, 9, 4, 8, 5, 7, 6))
                .isEqualTo((3 + 4 + 5 + 6 + 7 + 8) / 6.0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void theInterquartileMeanOfFewValuesIsTheMean(int count) {
        double[] values = Arrays.copyOf(new double[] {1, 10, 100}, count);
        assertThat(Samples.interquartileMean(values)).isEqualTo(Samples.mean(values));
    }

    @Test
    void samplesArePooledBeforeValuesAreDropped() {
        assertThat(Samples.interquartileMean(List.of(new double[] {1, 2}, new double[] {3, 100})))
                .isEqualTo(2.5);
    }
}
