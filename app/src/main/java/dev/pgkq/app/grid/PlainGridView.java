package dev.pgkq.app.grid;

import dev.pgkq.app.grid.Grid.Cell;
import dev.pgkq.app.terminal.IterationView;
import dev.pgkq.text.Durations;
import dev.pgkq.text.Numbers;
import java.io.PrintStream;

/** Prints plain lines, for a pipe or a file: one when a run starts or ends, and a summary now and then. */
final class PlainGridView implements GridView {
    private static final long BETWEEN_SUMMARIES_NANOS = 30_000_000_000L;

    private final PrintStream out;
    private final GridProgress progress;
    private long printedAt = System.nanoTime();

    PlainGridView(PrintStream out, GridProgress progress) {
        this.out = out;
        this.progress = progress;
    }

    @Override
    public synchronized void state(Cell cell, State state, String note) {
        progress.state(cell, state, note);
        String returns = state == State.FINISHED ? ", return " + Numbers.brief(progress.returnOf(cell)) : "";
        out.println(state.name().toLowerCase(java.util.Locale.ROOT) + " " + cell.name() + returns
                + (note.isEmpty() ? "" : ": " + note));
        out.flush();
    }

    @Override
    public synchronized void progress(Cell cell, IterationView view) {
        progress.progress(cell, view);
        long now = System.nanoTime();
        if (now - printedAt > BETWEEN_SUMMARIES_NANOS) {
            printedAt = now;
            out.println(progress.summary());
            out.flush();
        }
    }

    @Override
    public synchronized void message(String line) {
        out.println(line);
        out.flush();
    }

    @Override
    public void close() {
        message(progress.summary() + ", " + Durations.format(progress.elapsed()) + " in total");
    }
}
