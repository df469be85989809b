package dev.pgkq.app.command;

import dev.pgkq.platform.Platform;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Handles Ctrl-C. The first one lets the current iteration finish and be saved. The second one stops at once: that iteration
 * is lost, and rewards that were requested are left in doubt. The third one does not even wait until that is recorded.
 * SIGTERM counts the same. Closing the terminal counts as the first one only: the shell and the system may both send SIGHUP
 * then, and nobody is there to ask for more. Where SIGHUP is ignored from the start, as under nohup, it stays so.
 *
 * <p>Work that has nothing to finish is stopped at once by the first request of any kind.
 */
final class StopRequest implements AutoCloseable {
    /** Time limit for stopping at once: reward programs get a few seconds to cancel what they started elsewhere. */
    private static final Duration ABANDON_LIMIT = Duration.ofSeconds(10);

    private final Consumer<String> messages;
    private final Work work;
    private final AtomicInteger requests = new AtomicInteger();
    private final CountDownLatch requested = new CountDownLatch(1);
    private final Map<Signal, SignalHandler> former = new LinkedHashMap<>();

    /** The work that is stopped, and the messages for that. */
    interface Work {
        /** Whether the first request lets something finish. */
        default boolean finishesFirst() {
            return true;
        }

        /** The number of rewards that were requested and have no answer yet. */
        default int pendingRewards() {
            return 0;
        }

        /** Abandons the current iteration; afterwards the ledger has no claims of this process. */
        default void abandon() {}

        /** The message for the first request. */
        default String finishing() {
            return "finishing this iteration, then saving; press Ctrl-C again to stop at once";
        }

        /** The message for the first request while that many rewards are out. */
        default String waiting(int out) {
            return "waiting for " + rewards(out) + ", then saving; press Ctrl-C again to stop at once and leave "
                    + (out == 1 ? "it" : "them") + " in doubt";
        }

        /** What happens to that many rewards that are out, for the second request. */
        default String leaving(int out) {
            return "The answers to " + rewards(out)
                    + " will not be recorded: they are in doubt, and --resume requests them again with the same key";
        }

        /** The command that resumes the work; empty if there is none. */
        default String resume() {
            return "";
        }

        /** The message for the second request. */
        default String stopping() {
            return "stopping at once: this iteration is lost, answers that were received are kept";
        }
    }

    private StopRequest(Consumer<String> messages, Work work) {
        this.messages = messages;
        this.work = work;
    }

    /**
     * Handles signals from now on, until it is closed.
     *
     * @param messages shows messages to the user
     */
    static StopRequest onSignals(Consumer<String> messages, Work work) {
        StopRequest request = new StopRequest(messages, work);
        request.handle("INT", request::interrupted);
        request.handle("TERM", request::interrupted);
        if (!Platform.isWindows()) {
            request.handle("HUP", request::hungUp);
        }
        return request;
    }

    private void handle(String name, Runnable action) {
        Signal signal = new Signal(name);
        // every signal is handled in a thread of its own
        former.put(signal, Signal.handle(signal, arrived -> action.run()));
    }

    private void hungUp() {
        if (!work.finishesFirst()) {
            interrupted();
        } else if (requests.compareAndSet(0, 1)) {
            finish();
        }
    }

    private void finish() {
        int out = work.pendingRewards();
        requested.countDown();
        messages.accept(out == 0 ? work.finishing() : work.waiting(out));
    }

    private void interrupted() {
        switch (requests.incrementAndGet() - requestsToFinish()) {
            case 0 -> finish();
            case 1 -> {
                int out = work.pendingRewards();
                messages.accept(work.stopping() + (out == 0 ? "" : ". " + work.leaving(out)));
                if (!work.resume().isEmpty()) {
                    messages.accept("  resume    " + work.resume());
                }
                Thread abandoning =
                        Thread.ofPlatform().daemon().name("pgkq-abandon").start(work::abandon);
                try {
                    abandoning.join(ABANDON_LIMIT);
                } catch (InterruptedException e) {
                    // then stop without waiting
                }
                Runtime.getRuntime().halt(ExitCode.STOPPED.code());
            }
            default -> Runtime.getRuntime().halt(ExitCode.STOPPED.code());
        }
    }

    /** The number of requests that let the work finish. */
    private int requestsToFinish() {
        return work.finishesFirst() ? 1 : 0;
    }

    private static String rewards(int count) {
        return count == 1 ? "the reward that is out" : "the " + count + " rewards that are out";
    }

    /** Waits for the first request. */
    void await() throws InterruptedException {
        requested.await();
    }

    /** Whether a stop was requested. */
    boolean requested() {
        return requests.get() > 0;
    }

    /** If the process is being stopped at once, failures are a consequence of that: waits for the end of the process. */
    void awaitEndIfAtOnce() {
        if (requests.get() > requestsToFinish()) {
            try {
                Thread.sleep(ABANDON_LIMIT.multipliedBy(2));
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
