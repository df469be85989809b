package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.ledger.FailureKind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Passes on the first warning of each kind at once, and repeats of it at most once a minute. Thread-safe. */
final class RepeatedWarnings implements Consumer<String> {
    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final int MOST_KINDS = 50;

    private final Consumer<String> warnings;
    private final LongSupplier nanos;
    private final Map<String, Long> reported = new LinkedHashMap<>();

    RepeatedWarnings(Consumer<String> warnings) {
        this(warnings, System::nanoTime);
    }

    RepeatedWarnings(Consumer<String> warnings, LongSupplier nanos) {
        this.warnings = warnings;
        this.nanos = nanos;
    }

    @Override
    public synchronized void accept(String warning) {
        long now = nanos.getAsLong();
        String kind = FailureKind.of(warning);
        Long last = reported.get(kind);
        if (last != null && now - last <= PAUSE.toNanos()) {
            return;
        }
        if (last == null && reported.size() >= MOST_KINDS) {
            reported.remove(reported.keySet().iterator().next());
        }
        reported.put(kind, now);
        warnings.accept(warning);
    }
}
