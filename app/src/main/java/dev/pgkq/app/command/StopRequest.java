package dev.pgkq.app.command;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Ctrl-C, politely: the first one lets the iteration under way finish and be saved, the second one stops at once, which
 * loses that iteration and nothing else. SIGTERM counts the same.
 */
final class StopRequest implements AutoCloseable {
    /** What a shell expects of a program that was interrupted. */
    static final int EXIT_CODE = 130;

    private final AtomicBoolean requested = new AtomicBoolean();
    private final Map<Signal, SignalHandler> former = new LinkedHashMap<>();

    private StopRequest() {}

    static StopRequest onSignals() {
        StopRequest request = new StopRequest();
        for (String name : new String[] {"INT", "TERM"}) {
            Signal signal = new Signal(name);
            request.former.put(signal, Signal.handle(signal, arrived -> request.arrive()));
        }
        return request;
    }

    private void arrive() {
        if (requested.getAndSet(true)) {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
        System.err.println();
        System.err.println("finishing this iteration, then saving; once more to stop at once");
    }

    boolean requested() {
        return requested.get();
    }

    @Override
    public void close() {
        former.forEach(Signal::handle);
    }
}
