package dev.pgkq.app.grid;

import dev.pgkq.app.terminal.IterationView;
import dev.pgkq.app.terminal.Terminal;
import java.util.List;
import java.util.Map;

/** Shows how a grid goes on. Threads share one. */
public interface GridView extends AutoCloseable {
    /** What became of a run. */
    enum State {
        WAITING,
        RUNNING,
        FINISHED,
        STOPPED,
        FAILED
    }

    void state(Grid.Cell cell, State state, String note);

    void progress(Grid.Cell cell, IterationView view);

    /** Shows a line of information. */
    void message(String line);

    /** Shows a problem of one run that the user may want to fix; the run continues. */
    default void warn(Grid.Cell cell, String problem) {
        message(cell.name() + ": " + problem);
    }

    @Override
    void close();

    /** Rows that overwrite themselves if standard error is a terminal, otherwise plain lines there. */
    static GridView onStandardError(List<Grid.Cell> cells, Map<Grid.Cell, Integer> missing, int iterations) {
        GridProgress progress = new GridProgress(cells, missing, iterations);
        return Terminal.STANDARD_ERROR.isInteractive()
                ? new TerminalGridView(System.err, progress, Terminal.STANDARD_ERROR)
                : new PlainGridView(System.err, progress);
    }
}
