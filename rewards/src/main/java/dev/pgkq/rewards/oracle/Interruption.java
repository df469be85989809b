package dev.pgkq.rewards.oracle;

/** Converts interrupts to {@link InterruptedException}: file operations report them as other exceptions. */
final class Interruption {
    private Interruption() {}

    /** Throws an exception if this thread has been interrupted. */
    static void check() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
