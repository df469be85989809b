package dev.pgkq.benchmarks;

import dev.pgkq.gp.EmbeddedEpisodes;
import dev.pgkq.gp.EpisodicGram;
import dev.pgkq.gp.ExactGram;
import dev.pgkq.gp.FeatureGram;
import dev.pgkq.parallel.Workers;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** Time of the Gram matrix by number and length of episodes, with the exponent of the fitted power law. */
final class GramScaling {
    private static final int[] COUNTS = {16, 64, 256, 1024};
    private static final int[] COUNTS_IF_QUICK = {16, 64, 256};
    private static final int[] LENGTHS = {50, 100, 200, 500, 1000};
    private static final int LENGTH = 100;
    private static final int COUNT = 64;
    private static final int RANDOM_FEATURES = 1000;
    private static final int LEAST_ROUNDS = 3;
    private static final double LEAST_SECONDS = 0.5;

    private GramScaling() {}

    static List<Row> rows(Benchmark.Effort effort, Workers workers) {
        int[] counts = effort == Benchmark.Effort.FULL ? COUNTS : COUNTS_IF_QUICK;
        EpisodicGram exact = new ExactGram();
        EpisodicGram features = new FeatureGram(RANDOM_FEATURES, 0);
        return List.of(
                row("exact, T = " + LENGTH, "N", counts, n -> Gram.episodes(n, LENGTH, 1), exact, workers),
                row("exact, N = " + COUNT, "T", LENGTHS, t -> Gram.episodes(COUNT, t, 1), exact, workers),
                row("features, T = " + LENGTH, "N", counts, n -> Gram.episodes(n, LENGTH, 1), features, workers),
                row("features, N = " + COUNT, "T", LENGTHS, t -> Gram.episodes(COUNT, t, 1), features, workers));
    }

    private static Row row(
            String what,
            String of,
            int[] sizes,
            IntFunction<EmbeddedEpisodes> make,
            EpisodicGram gram,
            Workers workers) {
        double[] seconds = new double[sizes.length];
        for (int i = 0; i < sizes.length; i++) {
            EmbeddedEpisodes episodes = make.apply(sizes[i]);
            seconds[i] = seconds(() -> gram.of(episodes, workers));
        }
        return new Row(
                "Gram matrix, " + what + ", " + of + " = "
                        + Arrays.stream(sizes).mapToObj(Integer::toString).collect(Collectors.joining(", ")),
                Arrays.stream(seconds).mapToObj(Gram::milliseconds).collect(Collectors.joining(", ")),
                "",
                String.format(Locale.ROOT, "%s^%.2f", of, slope(sizes, seconds)),
                "",
                "");
    }

    /** The lower quartile of some rounds, after one to warm up. */
    private static double seconds(Runnable work) {
        work.run();
        Rounds.Side side = Rounds.timed(work);
        double[] times = new double[0];
        double total = 0;
        while (times.length < LEAST_ROUNDS || total < LEAST_SECONDS) {
            times = Arrays.copyOf(times, times.length + 1);
            times[times.length - 1] = side.run();
            total += times[times.length - 1];
        }
        return Rounds.quantile(times, Rounds.QUARTILE);
    }

    /** The slope of the least-squares line through (log size, log seconds). */
    static double slope(int[] sizes, double[] seconds) {
        double meanX = Arrays.stream(sizes).mapToDouble(Math::log).average().orElseThrow();
        double meanY = Arrays.stream(seconds).map(Math::log).average().orElseThrow();
        double xy = 0;
        double xx = 0;
        for (int i = 0; i < sizes.length; i++) {
            double x = Math.log(sizes[i]) - meanX;
            xy += x * (Math.log(seconds[i]) - meanY);
            xx += x * x;
        }
        return xy / xx;
    }
}
