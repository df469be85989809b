package dev.pgkq.app.command;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Ctrl-C, politely: the first one lets the iteration under way finish and be saved, the second one stops at once, which
 * loses that iteration and nothing else. SIGTERM counts the same.
 */
final class StopRequest implements AutoCloseable {
    /** What a shell expects of a program that was interrupted. */
    static final int EXIT_CODE = 130;

    private final String answer;
    private final CountDownLatch requested = new CountDownLatch(1);
    private final Map<Signal, SignalHandler> former = new LinkedHashMap<>();

    private StopRequest(String answer) {
        this.answer = answer;
    }

    static StopRequest onSignals() {
        return onSignals("finishing this iteration, then saving; once more to stop at once");
    }

    /** @param answer what is printed when the first one arrives */
    static StopRequest onSignals(String answer) {
        StopRequest request = new StopRequest(answer);
        for (String name : new String[] {"INT", "TERM"}) {
            Signal signal = new Signal(name);
            request.former.put(signal, Signal.handle(signal, arrived -> request.arrive()));
        }
        return request;
    }

    private void arrive() {
        if (requested()) {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
        requested.countDown();
        System.err.println();
        System.err.println(answer);
    }

    boolean requested() {
        return requested.getCount() == 0;
    }

    /** Waits for the first one. */
    void await() throws InterruptedException {
        requested.await();
    }

    @Override
    public void close() {
        former.forEach(Signal::handle);
    }
}
