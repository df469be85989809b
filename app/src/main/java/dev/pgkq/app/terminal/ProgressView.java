package dev.pgkq.app.terminal;

import java.io.PrintStream;
import java.util.function.IntFunction;

/** Shows how a run goes on. Threads may share one. */
public interface ProgressView extends AutoCloseable {
    /** An iteration is done. */
    void show(IterationView view);

    /** Shows a line of information. */
    void message(String line);

    /** Shows a problem that the user may want to fix; the run continues. */
    default void warn(String problem) {
        message("pgkq: " + problem);
    }

    /**
     * What is being waited for, told again and again while it lasts.
     *
     * @param line the text for so many columns
     */
    void waiting(IntFunction<String> line);

    /** The run ended, also before its last iteration; what was shown last stays to be seen. */
    void finish();

    @Override
    default void close() {
        finish();
    }

    /** A line that overwrites itself if standard error is a terminal, otherwise plain lines there. */
    static ProgressView onStandardError() {
        PrintStream out = System.err;
        return Terminal.STANDARD_ERROR.isInteractive()
                ? new TerminalProgress(out, Terminal.STANDARD_ERROR::columns, System::nanoTime)
                : new PlainProgress(out, System::nanoTime);
    }
}
