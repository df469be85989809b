package dev.pgkq.statistics;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Percentile bootstrap intervals. The runs are resampled many times with replacement, and the statistic is computed for each
 * resample; the interval contains the middle 95 % of these values. The bootstrap is stratified: every sample (the runs of one
 * variant on one task) is resampled separately and keeps its size.
 *
 * <p>The same name gives the same resamples, so a report can be reproduced exactly.
 */
public final class Bootstrap {
    /** Number of resamples per interval. */
    public static final int RESAMPLES = 5000;
    /** The share of the resamples inside the interval. */
    public static final double LEVEL = 0.95;

    private static final long SEED = 1;

    private Bootstrap() {}

    /**
     * The interval of a statistic; unknown if a sample has fewer than two runs.
     *
     * @param name name of the statistic; keys the random resamples
     */
    public static Interval interval(String name, List<double[]> samples, ToDoubleFunction<List<double[]>> statistic) {
        if (samples.isEmpty() || samples.stream().anyMatch(sample -> sample.length < 2)) {
            return Interval.UNKNOWN;
        }
        double[] resamples = Arrays.stream(resamples(name, samples, statistic))
                .filter(value -> !Double.isNaN(value))
                .toArray();
        double tail = (1 - LEVEL) / 2;
        return new Interval(Samples.quantile(resamples, tail), Samples.quantile(resamples, 1 - tail));
    }

    /** The statistic of every resample; NaN if it has no value. */
    static double[] resamples(String name, List<double[]> samples, ToDoubleFunction<List<double[]>> statistic) {
        RandomStream random = RandomStream.of(SEED, Purpose.BOOTSTRAP, name.hashCode());
        double[] values = new double[RESAMPLES];
        for (int draw = 0; draw < RESAMPLES; draw++) {
            List<double[]> drawn = new ArrayList<>(samples.size());
            for (double[] sample : samples) {
                double[] resampled = new double[sample.length];
                Arrays.setAll(resampled, i -> sample[random.nextInt(sample.length)]);
                drawn.add(resampled);
            }
            values[draw] = statistic.applyAsDouble(drawn);
        }
        return values;
    }
}
