package dev.pgkq.rewards.oracle;

/** An interrupt comes in many shapes: reading and writing files, for one, fails with an exception of its own. */
final class Cancelled {
    private Cancelled() {}

    /** Gives it the shape that callers know. */
    static void ifInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
