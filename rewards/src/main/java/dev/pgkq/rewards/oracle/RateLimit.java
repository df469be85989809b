package dev.pgkq.rewards.oracle;

import java.time.Duration;

/**
 * Begins of evaluations, evenly spaced: a bucket with room for one token, which drips in 60 s / rate. So no minute, wherever
 * it starts, sees more than the rate; a larger bucket would let through a burst on top of it, and services count bursts.
 */
final class RateLimit {
    private final long spacing;
    private final Time time;
    private long nextFree;

    RateLimit(double perMinute, Time time) {
        this.spacing = (long) Math.ceil(60e9 / perMinute);
        this.time = time;
        this.nextFree = time.nanos();
    }

    /** Waits for a turn. */
    void take() throws InterruptedException {
        long wait;
        synchronized (this) {
            long now = time.nanos();
            long turn = nextFree - now > 0 ? nextFree : now;
            nextFree = turn + spacing;
            wait = turn - now;
        }
        if (wait > 0) {
            time.sleep(Duration.ofNanos(wait));
        }
    }
}
