package dev.pgkq.statistics;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Percentile bootstrap intervals: the runs are drawn again with replacement, many times, and the statistic of each draw
 * is computed; the interval holds the middle 95 % of them. It is stratified: every sample (the runs of one variant on
 * one task) is drawn from on its own and keeps its size.
 *
 * <p>The same name gives the same draws, so a report can be repeated to the last digit.
 */
public final class Bootstrap {
    /** Draws per interval. */
    public static final int RESAMPLES = 5000;
    /** The share of the draws inside the interval. */
    public static final double LEVEL = 0.95;

    private static final long SEED = 1;

    private Bootstrap() {}

    /**
     * Computes the interval of a statistic.
     *
     * @param name of the statistic; keys the random draws
     * @param samples one or more, each with a value per run
     * @param statistic computed from samples of the same sizes
     * @return the interval; {@link Interval#UNKNOWN} if there is no sample or one has fewer than two runs
     */
    public static Interval interval(String name, List<double[]> samples, ToDoubleFunction<List<double[]>> statistic) {
        if (samples.isEmpty() || samples.stream().anyMatch(sample -> sample.length < 2)) {
            return Interval.UNKNOWN;
        }
        double[] draws = Arrays.stream(draws(name, samples, statistic))
                .filter(value -> !Double.isNaN(value))
                .toArray();
        double tail = (1 - LEVEL) / 2;
        return new Interval(Samples.quantile(draws, tail), Samples.quantile(draws, 1 - tail));
    }

    /** The statistic of every draw; NaN where it is undefined. */
    static double[] draws(String name, List<double[]> samples, ToDoubleFunction<List<double[]>> statistic) {
        RandomStream random = RandomStream.of(SEED, Purpose.BOOTSTRAP, name.hashCode());
        double[] values = new double[RESAMPLES];
        for (int draw = 0; draw < RESAMPLES; draw++) {
            List<double[]> drawn = new ArrayList<>(samples.size());
            for (double[] sample : samples) {
                double[] again = new double[sample.length];
                Arrays.setAll(again, i -> sample[random.nextInt(sample.length)]);
                drawn.add(again);
            }
            values[draw] = statistic.applyAsDouble(drawn);
        }
        return values;
    }
}
