package dev.pgkq.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import java.util.Map;

/** A process that waits for rounds. It does one for every line that it gets, and then prints a line about it. */
final class RoundProcess implements AutoCloseable {
    private final String name;
    private final Process process;
    private final Writer orders;
    private final BufferedReader answers;

    /** Starts it. What it writes to standard error is shown. */
    RoundProcess(String name, List<String> command, Map<String, String> environment) throws IOException {
        this.name = name;
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        process = builder.start();
        orders = process.outputWriter();
        answers = process.inputReader();
    }

    /** The next line of its output. */
    String line() {
        try {
            String line = answers.readLine();
            if (line == null) {
                throw new IllegalStateException(name + " ended unexpectedly; see its output above");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets it begin a round. */
    void go() {
        try {
            orders.write("go\n");
            orders.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            orders.close();
            process.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
        }
    }
}
