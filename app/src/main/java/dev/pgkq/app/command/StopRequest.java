package dev.pgkq.app.command;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Ctrl-C, politely: the first one lets the iteration under way finish and be saved, the second one stops at once, which
 * loses that iteration and leaves rewards that are out in doubt, the third one does not even wait for that to be written down.
 * SIGTERM counts the same.
 */
final class StopRequest implements AutoCloseable {
    /** How long giving up may take: programs get a few seconds to cancel what they started elsewhere. */
    private static final Duration GIVING_UP = Duration.ofSeconds(10);

    private final Consumer<String> tell;
    private final Work work;
    private final AtomicInteger requests = new AtomicInteger();
    private final CountDownLatch requested = new CountDownLatch(1);
    private final Map<Signal, SignalHandler> former = new LinkedHashMap<>();

    /** What is stopped. */
    interface Work {
        /** How many rewards somebody was asked for and has not answered. */
        default int rewardsOut() {
            return 0;
        }

        /** Gives up what is under way; when this returns, nothing is claimed that nobody works on. */
        default void abandon() {}

        /** What is said to the first request. */
        default String finishing() {
            return "finishing this iteration, then saving; Ctrl-C once more stops at once";
        }

        /** What is said to the first while so many rewards are out. */
        default String waiting(int out) {
            return "waiting for " + rewards(out) + ", then saving; Ctrl-C once more stops at once and leaves "
                    + (out == 1 ? "it" : "them") + " in doubt";
        }

        /** What becomes of so many rewards that are out, said to the second. */
        default String leaving(int out) {
            return "Nobody hears of " + rewards(out)
                    + " any more: they are in doubt, and --resume asks for them again with the same key";
        }

        /** The command that goes on; empty if there is none. */
        default String resume() {
            return "";
        }

        /** What is said to the second. */
        default String stopping() {
            return "stopping at once: this iteration is lost, what was answered is kept";
        }
    }

    private StopRequest(Consumer<String> tell, Work work) {
        this.tell = tell;
        this.work = work;
    }

    /** @param tell takes lines for people */
    static StopRequest onSignals(Consumer<String> tell, Work work) {
        StopRequest request = new StopRequest(tell, work);
        for (String name : new String[] {"INT", "TERM"}) {
            Signal signal = new Signal(name);
            // every signal that arrives has a thread of its own
            request.former.put(signal, Signal.handle(signal, arrived -> request.arrive()));
        }
        return request;
    }

    private void arrive() {
        int out = work.rewardsOut();
        requested.countDown();
        switch (requests.incrementAndGet()) {
            case 1 -> tell.accept(out == 0 ? work.finishing() : work.waiting(out));
            case 2 -> {
                tell.accept(work.stopping() + (out == 0 ? "" : ". " + work.leaving(out)));
                if (!work.resume().isEmpty()) {
                    tell.accept("  resume    " + work.resume());
                }
                Thread giving =
                        Thread.ofPlatform().daemon().name("pgkq-giving-up").start(work::abandon);
                try {
                    giving.join(GIVING_UP);
                } catch (InterruptedException e) {
                    // all the sooner
                }
                Runtime.getRuntime().halt(ExitCode.STOPPED.code());
            }
            default -> Runtime.getRuntime().halt(ExitCode.STOPPED.code());
        }
    }

    private static String rewards(int count) {
        return count == 1 ? "the reward that is out" : "the " + count + " rewards that are out";
    }

    /** Waits for the first one. */
    void await() throws InterruptedException {
        requested.await();
    }

    boolean requested() {
        return requests.get() > 0;
    }

    /** If it is to stop at once, what fails now fails because of that: waits for the end of the process. */
    void awaitEndIfAtOnce() {
        if (requests.get() > 1) {
            try {
                Thread.sleep(GIVING_UP.multipliedBy(2));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        former.forEach(Signal::handle);
    }
}
