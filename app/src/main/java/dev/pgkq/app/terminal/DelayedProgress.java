package dev.pgkq.app.terminal;

import java.io.PrintWriter;
import java.util.function.LongSupplier;

/** Prints what is being done, but only if the work takes longer than two seconds. */
public final class DelayedProgress {
    private static final long DELAY_NANOS = 2_000_000_000L;

    private final PrintWriter out;
    private final LongSupplier clock;
    private long printedAt;

    public DelayedProgress(PrintWriter out) {
        this(out, System::nanoTime);
    }

    DelayedProgress(PrintWriter out, LongSupplier clock) {
        this.out = out;
        this.clock = clock;
        this.printedAt = clock.getAsLong();
    }

    /** Reports the current step of the work; it is printed if nothing was printed for a while. */
    public void at(String what) {
        long now = clock.getAsLong();
        if (now - printedAt >= DELAY_NANOS) {
            printedAt = now;
            out.println(what + " …");
            out.flush();
        }
    }
}
