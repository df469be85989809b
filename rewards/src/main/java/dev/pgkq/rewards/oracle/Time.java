package dev.pgkq.rewards.oracle;

import java.time.Duration;

/** Time passing; tests have one that does not make them wait. */
interface Time {
    /** Counts nanoseconds, from some moment on. */
    long nanos();

    void sleep(Duration duration) throws InterruptedException;

    /** The time of this machine. */
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
