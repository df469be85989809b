package dev.pgkq.benchmarks;

import dev.pgkq.parallel.Workers;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Sampling with two threads against one. It needs two idle cores, and says if they were not idle. */
final class Threads implements Benchmark {
    private static final String WHAT = "Hopper episodes sampled with two threads, against one";
    private static final double TARGET = 1.6;
    /** Enough that the end, when only one thread still has work, does not matter. */
    private static final int EPISODES = 256;
    /** Load by other processes, in cores, that does not matter. */
    private static final double NEGLIGIBLE = 0.1;

    @Override
    public String name() {
        return "threads";
    }

    @Override
    public String doing() {
        return "sampling with one thread and with two (half a minute)";
    }

    @Override
    public List<Row> run(Effort effort) {
        int cores = Runtime.getRuntime().availableProcessors();
        if (cores < 2) {
            return List.of(Row.notMeasured(WHAT, "≥ " + TARGET, "the machine has one core"));
        }
        HopperEpisodes episodes = new HopperEpisodes();
        try (Workers one = new Workers(1);
                Workers two = new Workers(2);
                var narrow = episodes.source(one);
                var wide = episodes.source(two)) {
            Machine.LoadMeter others = new Machine.LoadMeter();
            Rounds rounds = Rounds.alternate(
                    effort.rounds(3),
                    effort.rounds(20),
                    Rounds.timed(() -> episodes.sample(wide, EPISODES)),
                    Rounds.timed(() -> episodes.sample(narrow, EPISODES)));
            Row row = Row.atLeast(WHAT, rate(rounds.ours()), rate(rounds.peer()), rounds.speedup(), TARGET);
            return List.of(judged(row, rounds.speedup(), others.busyCores(), cores));
        }
    }

    /** A good result counts in any case, a bad one only if two cores were idle. */
    static Row judged(Row row, double speedup, OptionalDouble others, int cores) {
        double busy = others.orElse(0);
        if (speedup >= TARGET || busy <= cores - 2 + NEGLIGIBLE) {
            return row;
        }
        return row.withVerdict(
                "not conclusive: other processes used " + Machine.cores(busy) + " of " + cores + " cores");
    }

    private static String rate(double seconds) {
        return String.format(Locale.ROOT, "%.0f episodes/s", EPISODES / seconds);
    }
}
