package dev.pgkq.app.grid;

import dev.pgkq.app.terminal.IterationView;
import dev.pgkq.app.terminal.Terminal;
import java.util.List;
import java.util.Map;

/** Shows the progress of a grid. Threads share one view. */
public interface GridView extends AutoCloseable {
    /** The state of a run. */
    enum State {
        WAITING,
        RUNNING,
        FINISHED,
        STOPPED,
        FAILED
    }

    /** Shows that a run is now in that state. */
    void state(Grid.Cell cell, State state, String note);

    /** Shows that a run finished an iteration. */
    void progress(Grid.Cell cell, IterationView view);

    /** Shows a line of information. */
    void message(String line);

    /** Shows a problem of one run that the user may want to fix; the run continues. */
    default void warn(Grid.Cell cell, String problem) {
        message(cell.name() + ": " + problem);
    }

    @Override
    void close();

    /** A view on standard error: rows that are redrawn if it is a terminal, plain lines otherwise. */
    static GridView onStandardError(List<Grid.Cell> cells, Map<Grid.Cell, Integer> missing, int iterations) {
        GridProgress progress = new GridProgress(cells, missing, iterations);
        return Terminal.STANDARD_ERROR.isInteractive()
                ? new TerminalGridView(System.err, progress, Terminal.STANDARD_ERROR)
                : new PlainGridView(System.err, progress);
    }
}
