package dev.pgkq.app.terminal;

import java.io.PrintStream;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Plain lines, for a pipe or a file. A short run gets a line for each iteration; a longer one a line for every percent,
 * and one whenever ten seconds went by, so that a log neither floods nor looks dead. The first and the last are always
 * there, also the last before a run was stopped.
 */
final class PlainProgress implements ProgressView {
    private static final int SHORT_RUN = 100;
    private static final long PATIENCE_NANOS = 10_000_000_000L;
    private static final long WAIT_NANOS = 60_000_000_000L;
    /** Who has not been told to wait for so long waits for something else. */
    private static final long FORGOTTEN_NANOS = 5_000_000_000L;

    private final PrintStream out;
    private final LongSupplier clock;
    private final boolean unicode;
    private final RemainingTime remaining;
    private @Nullable IterationView printed;
    private @Nullable IterationView latest;
    private long printedAt;
    private long waitedAt;
    private long toldAt;

    PlainProgress(PrintStream out, LongSupplier clock) {
        this.out = out;
        this.clock = clock;
        this.unicode = out.charset().newEncoder().canEncode("±");
        this.remaining = new RemainingTime(clock.getAsLong());
    }

    @Override
    public synchronized void show(IterationView view) {
        long now = clock.getAsLong();
        remaining.done(view.iteration(), now);
        latest = view;
        if (isDue(view, now)) {
            print(view, now);
        }
    }

    @Override
    public synchronized void message(String line) {
        out.println(line);
        out.flush();
    }

    /** A line a minute, after the first ten seconds. */
    @Override
    public synchronized void waiting(IntFunction<String> line) {
        long now = clock.getAsLong();
        if (waitedAt == 0 || now - waitedAt > FORGOTTEN_NANOS) {
            waitedAt = now;
            toldAt = now - WAIT_NANOS + PATIENCE_NANOS;
        }
        waitedAt = now;
        if (now - toldAt >= WAIT_NANOS) {
            toldAt = now;
            message(line.apply(Integer.MAX_VALUE));
        }
    }

    @Override
    public synchronized void finish() {
        if (latest != null && !latest.equals(printed)) {
            print(latest, clock.getAsLong());
        }
    }

    private boolean isDue(IterationView view, long now) {
        return printed == null
                || view.total() <= SHORT_RUN
                || view.iteration() == view.total()
                || now - printedAt >= PATIENCE_NANOS
                || percent(view) > percent(printed);
    }

    private static long percent(IterationView view) {
        return 100L * view.iteration() / view.total();
    }

    private void print(IterationView view, long now) {
        printed = view;
        printedAt = now;
        out.println(ProgressLine.plain(view, remaining.until(view.end()), unicode));
        out.flush();
    }
}
