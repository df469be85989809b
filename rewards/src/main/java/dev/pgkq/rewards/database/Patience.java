package dev.pgkq.rewards.database;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * How long to wait for a server that cannot be reached.
 *
 * @param time how long to retry after transient errors
 * @param waiting receives a message when the wait for a server starts
 * @param stopRequested whether to wait no longer
 */
public record Patience(Duration time, Consumer<String> waiting, BooleanSupplier stopRequested) {
    /** Two minutes, long enough for a server to restart, without messages. */
    public static final Patience DEFAULT = of(Duration.ofMinutes(2));

    /** This long, without messages. */
    public static Patience of(Duration time) {
        return new Patience(time, message -> {}, () -> false);
    }

    /** As long as by default. */
    public static Patience reporting(Consumer<String> waiting, BooleanSupplier stopRequested) {
        return new Patience(DEFAULT.time, waiting, stopRequested);
    }
}
