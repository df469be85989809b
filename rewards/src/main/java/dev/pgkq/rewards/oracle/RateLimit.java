package dev.pgkq.rewards.oracle;

import java.time.Duration;

/**
 * Spaces the starts of evaluations evenly: a token bucket that holds one token and is refilled every 60 s / rate. So no interval of
 * one minute has more starts than the rate allows. A larger bucket would permit bursts on top of it, which services count.
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

    /** Waits until the next evaluation may start. */
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
