package dev.pgkq.app.terminal;

import java.io.PrintStream;
import java.util.function.IntFunction;

/** Shows the progress of a run. Threads may share one view. */
public interface ProgressView extends AutoCloseable {
    /** Shows an iteration that is finished. */
    void show(IterationView view);

    /** Shows a line of information. */
    void message(String line);

    /** Shows a problem that the user may want to fix; the run continues. */
    default void warn(String problem) {
        message("pgkq: " + problem);
    }

    /**
     * Shows what is being waited for; called repeatedly during the wait.
     *
     * @param line the text for a given number of columns
     */
    void waiting(IntFunction<String> line);

    /** Ends the view, also before the last iteration; what was shown last stays visible. */
    void finish();

    @Override
    default void close() {
        finish();
    }

    /** A view on standard error: a line that is redrawn if it is a terminal, plain lines otherwise. */
    static ProgressView onStandardError() {
        PrintStream out = System.err;
        return Terminal.STANDARD_ERROR.isInteractive()
                ? new TerminalProgress(out, Terminal.STANDARD_ERROR::columns, System::nanoTime)
                : new PlainProgress(out, System::nanoTime);
    }
}
