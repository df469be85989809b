package dev.pgkq.app.terminal;

import dev.pgkq.text.Paragraph;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Draws one line at the bottom of a terminal, which is redrawn in place; messages scroll by above it. */
final class TerminalProgress implements ProgressView {
    private static final String START_OF_LINE = "\r";
    private static final String CLEAR_TO_END = "\033[K";
    /** Iterations that are faster than this are not all drawn. */
    private static final long BETWEEN_DRAWINGS_NANOS = 50_000_000;

    private final PrintStream out;
    private final IntSupplier columns;
    private final LongSupplier clock;
    private final boolean unicode;
    private final RemainingTime remaining;
    private @Nullable IterationView latest;
    private @Nullable Long drawnAt;
    private boolean stale;
    private boolean waited;

    TerminalProgress(PrintStream out, IntSupplier columns, LongSupplier clock) {
        this.out = out;
        this.columns = columns;
        this.clock = clock;
        this.unicode = out.charset().newEncoder().canEncode("█░±");
        this.remaining = new RemainingTime(clock.getAsLong());
    }

    @Override
    public synchronized void show(IterationView view) {
        long now = clock.getAsLong();
        remaining.done(view.iteration(), now, view.ratings().orElse(Duration.ZERO));
        latest = view;
        stale = true;
        if (drawnAt == null || now - drawnAt >= BETWEEN_DRAWINGS_NANOS || view.iteration() == view.total()) {
            drawnAt = now;
            draw(view);
        }
    }

    @Override
    public synchronized void message(String line) {
        String text = String.join(System.lineSeparator(), Paragraph.lines(line, columns.getAsInt() - 1, "  "));
        out.print(START_OF_LINE + CLEAR_TO_END + text + System.lineSeparator());
        waited = false;
        if (latest != null) {
            draw(latest);
        }
        out.flush();
    }

    @Override
    public synchronized void waiting(IntFunction<String> line) {
        int room = Math.max(1, columns.getAsInt() - 1);
        out.print(START_OF_LINE + cut(line.apply(room), room) + CLEAR_TO_END);
        out.flush();
        stale = true;
        waited = true;
    }

    /** Cuts the line between words if possible. */
    private static String cut(String line, int room) {
        if (line.length() <= room) {
            return line;
        }
        int space = line.lastIndexOf(' ', room - 1);
        return space > 0 ? line.substring(0, space) : line.substring(0, room);
    }

    @Override
    public synchronized void finish() {
        if (latest != null) {
            if (stale) {
                draw(latest);
            }
            out.println();
            out.flush();
            latest = null;
        } else if (waited) {
            out.println();
            out.flush();
        }
        waited = false;
    }

    /** One column stays free: some terminals start a new line as soon as the last column is written. */
    private void draw(IterationView view) {
        String line = ProgressLine.fitted(view, remaining.until(view.end()), columns.getAsInt() - 1, unicode);
        out.print(START_OF_LINE + line + CLEAR_TO_END);
        out.flush();
        stale = false;
        waited = false;
    }
}
