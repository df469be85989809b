package dev.pgkq.rewards.oracle;

import java.time.Duration;

/** A clock that can sleep; tests use one that does not wait. */
interface Time {
    /** Nanoseconds since an arbitrary moment. */
    long nanos();

    void sleep(Duration duration) throws InterruptedException;

    /** The system's time. */
    Time REAL = new Time() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            Thread.sleep(duration);
        }
    };
}
