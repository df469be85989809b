package dev.pgkq.app.terminal;

import java.io.PrintWriter;
import java.util.function.LongSupplier;

/** Tells what is being done, but only of work that takes longer than people like to wait without a word. */
public final class DelayedProgress {
    private static final long PATIENCE_NANOS = 2_000_000_000L;

    private final PrintWriter out;
    private final LongSupplier clock;
    private long toldAt;

    public DelayedProgress(PrintWriter out) {
        this(out, System::nanoTime);
    }

    DelayedProgress(PrintWriter out, LongSupplier clock) {
        this.out = out;
        this.clock = clock;
        this.toldAt = clock.getAsLong();
    }

    /** Work goes on: says so if nothing was said for a while. */
    public void at(String what) {
        long now = clock.getAsLong();
        if (now - toldAt >= PATIENCE_NANOS) {
            toldAt = now;
            out.println(what + " …");
            out.flush();
        }
    }
}
