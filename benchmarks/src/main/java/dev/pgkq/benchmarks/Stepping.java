package dev.pgkq.benchmarks;

import dev.pgkq.env.Environment;
import dev.pgkq.parallel.Workers;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Locale;

/**
 * Hopper-v4 stepped from Java against a loop in C on the same library: the same initial states and actions, one thread each,
 * alternating. Also MuJoCo's share of the CPU time of sampling, where MuJoCo's part is the time of the C loop for the same
 * episodes.
 */
final class Stepping implements Benchmark {
    private static final String STEPPING = "Hopper-v4 stepped from Java, against a loop in C, one thread";
    private static final double STEPPING_TARGET = 0.95;
    private static final String SHARE = "CPU time of sampling 64 Hopper episodes that is MuJoCo's";
    private static final double SHARE_TARGET = 0.85;

    @Override
    public String name() {
        return "stepping";
    }

    @Override
    public String doing() {
        return "Hopper-v4, stepped from Java and from C (up to a minute)";
    }

    @Override
    public List<Row> run(Effort effort) {
        HopperEpisodes episodes = new HopperEpisodes();
        try (CLoop c = new CLoop(episodes);
                Environment environment = episodes.open()) {
            return List.of(stepping(episodes, environment, c, effort), share(episodes, c, effort));
        } catch (CProgram.Unavailable e) {
            String why = String.valueOf(e.getMessage());
            return List.of(
                    Row.notMeasured(STEPPING, "≥ " + STEPPING_TARGET, why),
                    Row.notMeasured(SHARE, "≥ " + SHARE_TARGET, why));
        }
    }

    private static Row stepping(HopperEpisodes episodes, Environment environment, CLoop c, Effort effort) {
        float[] action = new float[environment.spec().actionSize()];
        double[] state = new double[environment.spec().stateSize()];
        double ours = episodes.replay(environment, action, state);
        double theirs = c.round().sum();
        if (ours != theirs) {
            throw new IllegalStateException("Java and C give different results: " + ours + ", " + theirs);
        }
        Rounds rounds = Rounds.alternate(
                effort.rounds(20),
                effort.rounds(150),
                Rounds.timed(() -> episodes.replay(environment, action, state)),
                () -> c.round().wallSeconds());
        return Row.atLeast(
                STEPPING,
                rate(episodes.steps(), rounds.ours()),
                rate(episodes.steps(), rounds.peer()),
                rounds.speedup(),
                STEPPING_TARGET);
    }

    private static Row share(HopperEpisodes episodes, CLoop c, Effort effort) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        // With one worker, the calling thread does all the work.
        try (var workers = new Workers(1);
                var source = episodes.source(workers)) {
            Rounds rounds = Rounds.alternate(
                    effort.rounds(20),
                    effort.rounds(150),
                    () -> {
                        long start = threads.getCurrentThreadCpuTime();
                        episodes.sample(source, HopperEpisodes.COUNT);
                        return (threads.getCurrentThreadCpuTime() - start) * 1e-9;
                    },
                    () -> c.round().cpuSeconds());
            return Row.atLeast(
                    SHARE, milliseconds(rounds.ours()), milliseconds(rounds.peer()), rounds.speedup(), SHARE_TARGET);
        }
    }

    private static String rate(int steps, double seconds) {
        return String.format(Locale.ROOT, "%.1f k steps/s", steps / seconds * 1e-3);
    }

    private static String milliseconds(double seconds) {
        return String.format(Locale.ROOT, "%.1f ms", 1e3 * seconds);
    }
}
