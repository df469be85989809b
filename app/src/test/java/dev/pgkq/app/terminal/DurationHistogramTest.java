package dev.pgkq.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class DurationHistogramTest {
    @Test
    void everyDurationIsInTheBinBetweenWhoseEdgesItLies() {
        double[] seconds = {0.4999, 0.5, 0.99, 1, 1.5, 1.99, 4};
        assertThat(DurationHistogram.lines(seconds, 30, false))
                .containsExactly(
                        "200ms to 500ms |#### 1",
                        "500ms to    1s |######## 2",
                        "   1s to    2s |############ 3",
                        "   2s to    5s |#### 1");
    }

    @Test
    void nothingIsTooShortOrTooLong() {
        assertThat(DurationHistogram.lines(new double[] {0}, 30, false))
                .containsExactly("    0 to   1ms |############ 1");
        assertThat(DurationHistogram.lines(new double[] {1e9, 1e8}, 30, false))
                .containsExactly("  50d to       |############ 2");
        assertThat(DurationHistogram.lines(new double[0], 30, true)).containsExactly("no values");
    }

    @Test
    void allAreCountedAndNoLineIsWiderThanItMayBe() {
        Random random = new Random(1);
        double[] seconds =
                random.doubles(1000).map(u -> Math.pow(10, 12 * u - 4)).toArray();
        var lines = DurationHistogram.lines(seconds, 50, true);
        assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(50));
        assertThat(lines.stream()
                        .mapToInt(line -> Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1)))
                        .sum())
                .isEqualTo(1000);
    }
}
