package dev.pgkq.rewards.people;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that a test advances. Thread-safe. */
final class ManualClock implements InstantSource {
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public Instant instant() {
        return now;
    }

    synchronized void pass(Duration time) {
        now = now.plus(time);
    }
}
