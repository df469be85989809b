package dev.pgkq.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.MetricsFile;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.terminal.IterationView;
import dev.pgkq.app.terminal.ProgressView;
import dev.pgkq.app.training.TrainingRun;
import dev.pgkq.app.web.Dashboard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;

/**
 * The cost of fifty dashboard viewers for a training run, in one process as with {@code pgkq train --dashboard}, and whether
 * each viewer receives every row. Periods of some seconds with and without viewers alternate, a minute of each in all, so that
 * background load affects both equally. A few viewers are disconnected every second and reconnect. The task is the pendulum,
 * whose iterations are short and all of the same size: on an idle machine there are several rows per second.
 *
 * <p>Wall-clock time says little on a busy machine, and CPU time says more: the share of all cores that server and viewers use
 * is the slowdown of a training run that would otherwise have these cores to itself.
 */
final class DashboardLoad implements Benchmark {
    private static final int VIEWERS = 50;
    private static final int DISCONNECTS_PER_SECOND = 5;
    private static final int SECONDS_PER_TURN = 5;
    private static final int WARM_UP_SECONDS = 15;
    private static final double TARGET = 1.05;

    @Override
    public String name() {
        return "dashboard";
    }

    @Override
    public String doing() {
        return "the cost of " + VIEWERS + " dashboard viewers for a training run (two and a half minutes)";
    }

    @Override
    public List<Row> run(Effort effort) {
        try {
            Path folder = Scratch.folder();
            try {
                return measure(folder.resolve("live"), effort.rounds(12));
            } finally {
                Scratch.remove(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private static List<Row> measure(Path run, int turns) throws IOException, InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        Clock clock = new Clock();
        Thread training = Thread.ofPlatform().start(() -> train(run, clock, stop));
        try (Dashboard dashboard = Dashboard.start(Dashboard.Settings.of(run).withPort(0))) {
            List<LiveViewer> viewers = new ArrayList<>();
            for (int i = 0; i < VIEWERS; i++) {
                viewers.add(new LiveViewer(dashboard.port(), "live"));
            }
            TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
            for (int turn = 0; turn < turns; turn++) {
                watch(viewers, clock);
                clock.count(false);
                TimeUnit.SECONDS.sleep(SECONDS_PER_TURN);
                clock.pause();
            }
            stop.set(true);
            training.join();
            int rows = MetricsFile.rows(run.resolve("metrics.csv"));
            return report(clock, rows, lost(viewers, rows), viewers);
        } finally {
            stop.set(true);
        }
    }

    private static void watch(List<LiveViewer> viewers, Clock clock) throws IOException, InterruptedException {
        for (LiveViewer viewer : viewers) {
            viewer.connect();
        }
        clock.count(true);
        for (int second = 0; second < SECONDS_PER_TURN; second++) {
            TimeUnit.SECONDS.sleep(1);
            for (int i = 0; i < DISCONNECTS_PER_SECOND; i++) {
                LiveViewer viewer = viewers.get((DISCONNECTS_PER_SECOND * second + i) % viewers.size());
                viewer.disconnect();
                viewer.connect();
            }
        }
        clock.pause();
        for (LiveViewer viewer : viewers) {
            viewer.disconnect();
        }
    }

    /** Reconnects all viewers for the rows that they have not received, and counts those that never arrive. */
    private static int lost(List<LiveViewer> viewers, int rows) throws IOException, InterruptedException {
        for (LiveViewer viewer : viewers) {
            viewer.connect();
        }
        int lost = Integer.MAX_VALUE;
        for (int i = 0; lost > 0 && i < 100; i++) {
            TimeUnit.MILLISECONDS.sleep(100);
            lost = viewers.stream().mapToInt(viewer -> viewer.missing(rows)).sum();
        }
        for (LiveViewer viewer : viewers) {
            viewer.disconnect();
        }
        return lost;
    }

    private static List<Row> report(Clock clock, int rows, int lost, List<LiveViewer> viewers) {
        int connections = viewers.stream().mapToInt(LiveViewer::connections).sum();
        return List.of(
                slowdown(clock.with.wall, clock.without.wall),
                share(clock.with, clock.without),
                Row.atMost(
                        String.format(
                                Locale.ROOT,
                                "rows lost of %,d for each of %d viewers, over %,d connections",
                                rows,
                                VIEWERS,
                                connections),
                        lost,
                        0,
                        "rows"));
    }

    private static Row slowdown(List<Double> with, List<Double> without) {
        double ours = median(with);
        double peer = median(without);
        String what = String.format(
                Locale.ROOT,
                "an iteration with %d viewers, and without: medians of %d and %d",
                VIEWERS,
                with.size(),
                without.size());
        return Row.ratioAtMost(what, millis(ours), millis(peer), ours / peer, TARGET);
    }

    private static Row share(Times with, Times without) {
        double server = Math.max(0, median(with.cpu) - median(without.cpu));
        double machine = median(with.wall) * Runtime.getRuntime().availableProcessors();
        return Row.ratioAtMost(
                "processor time of the server and " + VIEWERS + " viewers during an iteration, share of all cores",
                millis(server),
                millis(machine),
                server / machine,
                TARGET - 1);
    }

    private static double median(List<Double> values) {
        return Rounds.quantile(array(values), 0.5);
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static String millis(double seconds) {
        return String.format(Locale.ROOT, "%.1f ms", 1000 * seconds);
    }

    private static void train(Path run, Clock clock, AtomicBoolean stop) {
        Map<Setting, RunConfig.Given> given = new EnumMap<>(Setting.class);
        given.put(Setting.ENV, new RunConfig.Given("Pendulum-v1", "--env"));
        given.put(Setting.ITERATIONS, new RunConfig.Given("1000000", "--iterations"));
        new TrainingRun(new RunDirectory(run), false, RunConfig.of(given)).run(clock, stop::get);
    }

    /** Wall-clock and CPU seconds of iterations. */
    private static final class Times {
        private final List<Double> wall = new ArrayList<>();
        private final List<Double> cpu = new ArrayList<>();
    }

    /** Times the iterations, except those during which viewers connected or disconnected. */
    private static final class Clock implements ProgressView {
        private static final OperatingSystemMXBean SYSTEM =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

        private final Times with = new Times();
        private final Times without = new Times();
        private boolean watched;
        private boolean counting;
        private boolean whole;
        private long wall;
        private long cpu;

        /** Counts iterations with or without viewers, from the end of the current iteration on. */
        synchronized void count(boolean whileWatched) {
            watched = whileWatched;
            counting = true;
            whole = false;
        }

        synchronized void pause() {
            counting = false;
        }

        @Override
        public synchronized void show(IterationView iteration) {
            long wallNow = System.nanoTime();
            long cpuNow = SYSTEM.getProcessCpuTime();
            if (counting && whole) {
                Times times = watched ? with : without;
                times.wall.add((wallNow - wall) * 1e-9);
                times.cpu.add((cpuNow - cpu) * 1e-9);
            }
            wall = wallNow;
            cpu = cpuNow;
            whole = true;
        }

        @Override
        public void message(String text) {}

        @Override
        public void waiting(IntFunction<String> line) {}

        @Override
        public void finish() {}
    }
}
