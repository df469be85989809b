package dev.pgkq.app.terminal;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Prints what is being done while it takes long, from a thread of its own. It is for work that blocks until it is done; work
 * that can report between its steps uses {@link DelayedProgress}.
 */
public final class Heartbeat implements AutoCloseable {
    private final PrintWriter out;
    private final Thread printer;
    private volatile Supplier<String> work = () -> "";

    public Heartbeat(PrintWriter out) {
        this(out, Duration.ofSeconds(2), Duration.ofSeconds(5));
    }

    Heartbeat(PrintWriter out, Duration patience, Duration pause) {
        this.out = out;
        this.printer = Thread.ofPlatform().daemon().name("pgkq-heartbeat").start(() -> print(patience, pause));
    }

    /** Sets what is being done from now on. */
    public void doing(String what) {
        work = () -> what;
    }

    /** Sets what is being done from now on; the text is computed each time it is printed. */
    public void doing(Supplier<String> what) {
        work = what;
    }

    private void print(Duration patience, Duration pause) {
        try {
            Thread.sleep(patience);
            while (true) {
                out.println(work.get() + " …");
                out.flush();
                Thread.sleep(pause);
            }
        } catch (InterruptedException e) {
            // the work is done
        }
    }

    /** Stops printing. */
    @Override
    public void close() {
        printer.interrupt();
        try {
            printer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
