package dev.pgkq.app.terminal;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Tells what is being done while it takes longer than people like to wait without a word, from a thread of its own: for work
 * that does not come back until it is done. Work that does can tell {@link DelayedProgress}.
 */
public final class Heartbeat implements AutoCloseable {
    private final PrintWriter out;
    private final Thread teller;
    private volatile Supplier<String> work = () -> "";

    public Heartbeat(PrintWriter out) {
        this(out, Duration.ofSeconds(2), Duration.ofSeconds(5));
    }

    Heartbeat(PrintWriter out, Duration patience, Duration pause) {
        this.out = out;
        this.teller = Thread.ofPlatform().daemon().name("pgkq-heartbeat").start(() -> tell(patience, pause));
    }

    /** What is being done from now on. */
    public void doing(String what) {
        work = () -> what;
    }

    /** What is being done from now on; asked for anew whenever it is told. */
    public void doing(Supplier<String> what) {
        work = what;
    }

    private void tell(Duration patience, Duration pause) {
        try {
            Thread.sleep(patience);
            while (true) {
                out.println(work.get() + " …");
                out.flush();
                Thread.sleep(pause);
            }
        } catch (InterruptedException e) {
            // all is done
        }
    }

    /** Nothing is told afterwards. */
    @Override
    public void close() {
        teller.interrupt();
        try {
            teller.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
