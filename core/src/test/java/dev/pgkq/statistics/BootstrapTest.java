package dev.pgkq.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class BootstrapTest {
    /** The mean of a resample of two values is one of three numbers, with probabilities ¼, ½, ¼. */
    @Test
    void resamplesFollowTheirKnownDistribution() {
        double[] draws =
                Bootstrap.resamples("pair", List.of(new double[] {0, 1}), samples -> Samples.mean(samples.getFirst()));
        double error = 4 * Math.sqrt(0.25 * 0.75 / Bootstrap.RESAMPLES);
        assertThat(share(draws, 0)).isCloseTo(0.25, within(error));
        assertThat(share(draws, 1)).isCloseTo(0.25, within(error));
        assertThat(share(draws, 0.5)).isCloseTo(0.5, within(error));
    }

    /** All 3³ resamples of three values are equally likely, so their quantiles are known exactly. */
    @Test
    void theIntervalOfThreeValuesIsThatOfAllTheirResamples() {
        double[] values = {1, 5, 6};
        List<Double> means = new ArrayList<>();
        for (double a : values) {
            for (double b : values) {
                for (double c : values) {
                    means.add((a + b + c) / 3);
                }
            }
        }
        // 1/27 of the resamples are the lowest, more than the 2.5 % that are cut off, and as many are the highest
        Interval interval = Bootstrap.interval("three", List.of(values), s -> Samples.mean(s.getFirst()));
        assertThat(interval.low()).isEqualTo(means.stream().min(Double::compare).orElseThrow());
        assertThat(interval.high())
                .isEqualTo(means.stream().max(Double::compare).orElseThrow());
    }

    /** The interval of the mean of many normal values is the mean ± 1.96 standard errors (of the bootstrap: with n, not n − 1). */
    @Test
    void theIntervalOfAMeanIsThatOfTheNormalLaw() {
        RandomStream random = RandomStream.of(7, Purpose.CHECK);
        double[] values = DoubleStream.generate(random::nextGaussian).limit(400).toArray();
        double error = Samples.standardError(values) * Math.sqrt(399.0 / 400);

        Interval interval = Bootstrap.interval("normal", List.of(values), s -> Samples.mean(s.getFirst()));

        // a 2.5 % quantile of B resamples is uncertain by √(0.025·0.975/B)/φ(1.96) = 0.038 errors; four times that is
        // allowed
        double tolerance = 4 * Math.sqrt(0.025 * 0.975 / Bootstrap.RESAMPLES) / 0.0584 * error;
        assertThat(interval.low()).isCloseTo(Samples.mean(values) - 1.96 * error, within(tolerance));
        assertThat(interval.high()).isCloseTo(Samples.mean(values) + 1.96 * error, within(tolerance));
    }

    /** Two constant samples stay constant: values are not mixed across samples. */
    @Test
    void samplesAreResampledSeparately() {
        List<double[]> samples = List.of(new double[] {1, 1, 1}, new double[] {5, 5});
        double[] draws = Bootstrap.resamples("strata", samples, s -> {
            assertThat(s.get(0)).containsExactly(1, 1, 1);
            assertThat(s.get(1)).containsExactly(5, 5);
            return 0;
        });
        assertThat(draws).hasSize(Bootstrap.RESAMPLES);
    }

    @Test
    void theSameNameGivesTheSameInterval() {
        List<double[]> samples = List.of(new double[] {1, 5, 2, 8, 3, 9, 4});
        assertThat(Bootstrap.interval("a", samples, Samples::interquartileMean))
                .isEqualTo(Bootstrap.interval("a", samples, Samples::interquartileMean));
    }

    @Test
    void aSingleRunHasNoInterval() {
        Interval interval =
                Bootstrap.interval("one", List.of(new double[] {1, 2}, new double[] {3}), Samples::interquartileMean);
        assertThat(interval.isKnown()).isFalse();
    }

    private static double share(double[] draws, double value) {
        return Arrays.stream(draws).filter(draw -> draw == value).count() / (double) draws.length;
    }
}
