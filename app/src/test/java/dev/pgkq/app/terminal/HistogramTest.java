package dev.pgkq.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HistogramTest {
    @Test
    void everyValueIsInTheBinBetweenWhoseEdgesItLies() {
        double[] values = {0, 0.1, 0.2, 0.3, 0.3, 0.7, 1.0};
        assertThat(Histogram.lines(values, 40, false))
                .containsExactly(
                        "0.0 to 0.1 |############# 1",
                        "0.1 to 0.2 |############# 1",
                        "0.2 to 0.3 |############# 1",
                        "0.3 to 0.4 |########################## 2",
                        "0.4 to 0.5 | 0",
                        "0.5 to 0.6 | 0",
                        "0.6 to 0.7 | 0",
                        "0.7 to 0.8 |############# 1",
                        "0.8 to 0.9 | 0",
                        "0.9 to 1.0 |############# 1");
    }

    @Test
    void barsAreDrawnToAnEighthOfACharacter() {
        double[] values = IntStream.range(0, 110)
                .filter(i -> i < 100 || i % 2 == 0)
                .mapToDouble(i -> i / 10.0)
                .toArray();
        List<String> lines = Histogram.lines(values, 21, true);
        assertThat(lines.getFirst()).isEqualTo(" 0 –  1 │█████████ 10");
        assertThat(lines.getLast()).isEqualTo("10 – 11 │████▌ 5");
    }

    @Test
    void binsAreRoundAboutElevenAndCoverAllWhateverTheScale() {
        Random random = new Random(1);
        for (int trial = 0; trial < 2000; trial++) {
            double scale = Math.pow(10, random.nextInt(-8, 9));
            double shift = random.nextGaussian() * scale * 10;
            double[] values = DoubleStream.generate(() -> shift + scale * random.nextGaussian())
                    .limit(50)
                    .toArray();
            double low = Arrays.stream(values).min().orElseThrow();
            double high = Arrays.stream(values).max().orElseThrow();

            Histogram.Bins bins = Histogram.bins(values, low, high);

            int size = bins.counts().length;
            assertThat(size).isBetween(9, 13);
            assertThat(Arrays.stream(bins.counts()).sum()).isEqualTo(50);
            assertThat(bins.counts()[0]).isPositive();
            assertThat(bins.counts()[size - 1]).isPositive();
            assertThat(bins.edge(0)).isLessThanOrEqualTo(BigDecimal.valueOf(low));
            assertThat(bins.edge(size)).isGreaterThanOrEqualTo(BigDecimal.valueOf(high));
            assertThat(bins.step().stripTrailingZeros().precision()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void noLineIsWiderThanItMayBe() {
        double[] values = new Random(2).doubles(5000, -9000, 9000).toArray();
        for (boolean unicode : new boolean[] {true, false}) {
            for (int width = 0; width < 150; width++) {
                int limit = width;
                assertThat(Histogram.lines(values, width, unicode))
                        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(limit));
            }
            assertThat(Histogram.lines(values, 80, unicode))
                    .anySatisfy(line -> assertThat(line.length()).isEqualTo(80));
        }
    }

    @Test
    void equalValuesAreOneBin() {
        assertThat(Histogram.lines(new double[] {5}, 12, false)).containsExactly("5.00 |#### 1");
        assertThat(Histogram.lines(new double[] {-200, -200, -200}, 20, false)).containsExactly("-200.0 |########## 3");
        assertThat(Histogram.lines(new double[] {0, 0, Double.MIN_VALUE}, 10, false))
                .hasSize(1);
    }

    @Test
    void noValuesAndUnfiniteOnesAreSaid() {
        assertThat(Histogram.lines(new double[0], 80, true)).containsExactly("no values");
        assertThat(Histogram.lines(new double[] {Double.NaN}, 80, true)).containsExactly("no values", "1 not finite");
        assertThat(Histogram.lines(new double[] {1, Double.POSITIVE_INFINITY, 2}, 80, true))
                .last()
                .isEqualTo("1 not finite");
    }

    @Test
    void extremeRangesAreShown() {
        assertThat(Histogram.lines(new double[] {-Double.MAX_VALUE, Double.MAX_VALUE}, 80, true))
                .hasSizeBetween(8, 13);
        assertThat(Histogram.lines(new double[] {1e-12, 1.1e-11}, 60, false).getFirst())
                .startsWith("  1e-12 to   2e-12");
    }
}
