package dev.pgkq.rewards.desk;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Tells every second which rewards are out, once somebody has waited for two. */
public final class Waiting implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("pgkq-waiting").daemon().factory());

    public Waiting(PendingRewards orders, Consumer<PendingRewards> tell) {
        clock.scheduleAtFixedRate(
                () -> {
                    if (orders.waiting().compareTo(PATIENCE) >= 0) {
                        tell.accept(orders);
                    }
                },
                1,
                1,
                TimeUnit.SECONDS);
    }

    /** Nothing is told afterwards. */
    @Override
    public void close() {
        clock.shutdownNow();
        boolean interrupted = false;
        try {
            clock.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
