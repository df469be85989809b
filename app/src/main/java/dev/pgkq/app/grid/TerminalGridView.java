package dev.pgkq.app.grid;

import dev.pgkq.app.grid.Grid.Cell;
import dev.pgkq.app.grid.GridProgress.Line;
import dev.pgkq.app.terminal.IterationView;
import dev.pgkq.app.terminal.Terminal;
import dev.pgkq.text.Numbers;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Draws one row per run, those that are training first, and a summary below; all of it is redrawn in place. */
final class TerminalGridView implements GridView {
    private static final String CLEAR_TO_END = "\033[K";
    private static final String UP = "\033[%dA\r";
    private static final long BETWEEN_DRAWINGS_NANOS = 200_000_000;
    private static final int BAR = 20;

    private final PrintStream out;
    private final GridProgress progress;
    private final Terminal terminal;
    private final boolean unicode;
    private int drawn;
    private long drawnAt;

    TerminalGridView(PrintStream out, GridProgress progress, Terminal terminal) {
        this.out = out;
        this.progress = progress;
        this.terminal = terminal;
        this.unicode = out.charset().newEncoder().canEncode("█░");
    }

    @Override
    public synchronized void state(Cell cell, State state, String note) {
        progress.state(cell, state, note);
        if (state == State.FAILED) {
            message("failed " + cell.name() + ": " + note);
        }
        draw();
    }

    @Override
    public synchronized void progress(Cell cell, IterationView view) {
        progress.progress(cell, view);
        long now = System.nanoTime();
        if (now - drawnAt >= BETWEEN_DRAWINGS_NANOS) {
            drawnAt = now;
            draw();
        }
    }

    @Override
    public synchronized void message(String line) {
        erase();
        out.print(line + System.lineSeparator());
        drawn = 0;
        draw();
    }

    private void erase() {
        if (drawn > 0) {
            out.print(String.format(Locale.ROOT, UP, drawn));
            out.print("\033[J");
        }
    }

    private void draw() {
        List<String> lines = lines();
        StringBuilder text = new StringBuilder();
        if (drawn > 0) {
            text.append(String.format(Locale.ROOT, UP, drawn));
        }
        for (String line : lines) {
            text.append(line).append(CLEAR_TO_END).append(System.lineSeparator());
        }
        text.append("\033[J");
        out.print(text);
        out.flush();
        drawn = lines.size();
    }

    private List<String> lines() {
        int room = Math.max(3, terminal.rows() - 2);
        List<Line> rows = new ArrayList<>(progress.lines());
        rows.sort(Comparator.comparingInt(line -> rank(line.state)));
        List<String> lines = new ArrayList<>();
        for (Line row : rows.subList(0, Math.min(rows.size(), room - 1))) {
            lines.add(fitted(text(row)));
        }
        int hidden = rows.size() - lines.size();
        lines.add(fitted(progress.summary() + (hidden > 0 ? " (" + hidden + " more)" : "")));
        return lines;
    }

    private static int rank(State state) {
        return switch (state) {
            case RUNNING -> 0;
            case FAILED -> 1;
            case STOPPED -> 2;
            case FINISHED -> 3;
            case WAITING -> 4;
        };
    }

    private String text(Line row) {
        int full = (int) ((long) BAR * row.iteration / Math.max(1, progress.iterations()));
        String bar = (unicode ? "█" : "#").repeat(full) + (unicode ? "░" : ".").repeat(BAR - full);
        double returns = progress.returnOf(row.cell);
        return String.format(
                Locale.ROOT,
                "%-8s %s %5d/%d  %-46s %s",
                row.state.name().toLowerCase(Locale.ROOT),
                bar,
                row.iteration,
                progress.iterations(),
                row.cell.name(),
                Double.isNaN(returns) ? "" : "return " + Numbers.brief(returns));
    }

    private String fitted(String line) {
        int width = terminal.columns() - 1;
        return line.length() <= width ? line : line.substring(0, width);
    }

    @Override
    public synchronized void close() {
        draw();
    }
}
