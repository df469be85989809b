package dev.pgkq.app.terminal;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Prints plain lines, for a pipe or a file. A short run gets one line per iteration; a longer one gets a line for every
 * percent, and one every ten seconds, so that the log is neither flooded nor silent. The first iteration and the last one
 * are always printed, also if the run is stopped early.
 */
final class PlainProgress implements ProgressView {
    private static final int SHORT_RUN = 100;
    private static final long BETWEEN_LINES_NANOS = 10_000_000_000L;
    private static final long BETWEEN_WAITS_NANOS = 60_000_000_000L;
    /** After a break this long, the wait is a new one. */
    private static final long NEW_WAIT_NANOS = 5_000_000_000L;

    private final PrintStream out;
    private final LongSupplier clock;
    private final boolean unicode;
    private final RemainingTime remaining;
    private @Nullable IterationView printed;
    private @Nullable IterationView latest;
    private long printedAt;
    private long waitedAt;
    private long waitPrintedAt;

    PlainProgress(PrintStream out, LongSupplier clock) {
        this.out = out;
        this.clock = clock;
        this.unicode = out.charset().newEncoder().canEncode("±");
        this.remaining = new RemainingTime(clock.getAsLong());
    }

    @Override
    public synchronized void show(IterationView view) {
        long now = clock.getAsLong();
        remaining.done(view.iteration(), now, view.ratings().orElse(Duration.ZERO));
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

    /** Prints one line per minute, starting after ten seconds. */
    @Override
    public synchronized void waiting(IntFunction<String> line) {
        long now = clock.getAsLong();
        if (waitedAt == 0 || now - waitedAt > NEW_WAIT_NANOS) {
            waitedAt = now;
            waitPrintedAt = now - BETWEEN_WAITS_NANOS + BETWEEN_LINES_NANOS;
        }
        waitedAt = now;
        if (now - waitPrintedAt >= BETWEEN_WAITS_NANOS) {
            waitPrintedAt = now;
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
                || now - printedAt >= BETWEEN_LINES_NANOS
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
