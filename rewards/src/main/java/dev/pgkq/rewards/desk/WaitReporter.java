package dev.pgkq.rewards.desk;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Reports pending rewards every second, once they have been pending for two seconds. */
public final class WaitReporter implements AutoCloseable {
    private static final Duration FIRST_REPORT = Duration.ofSeconds(2);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("pgkq-waiting").daemon().factory());

    /** Starts reporting; {@code receiver} is called by another thread. */
    public WaitReporter(PendingRewards pending, Consumer<PendingRewards> receiver) {
        timer.scheduleAtFixedRate(
                () -> {
                    if (pending.waiting().compareTo(FIRST_REPORT) >= 0) {
                        receiver.accept(pending);
                    }
                },
                1,
                1,
                TimeUnit.SECONDS);
    }

    /** Stops reporting, and waits up to a second for a report under way. */
    @Override
    public void close() {
        timer.shutdownNow();
        boolean interrupted = false;
        try {
            timer.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
