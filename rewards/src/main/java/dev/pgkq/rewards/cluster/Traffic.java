package dev.pgkq.rewards.cluster;

/**
 * Bytes transferred so far.
 *
 * @param toDriver from executors to the driver
 * @param betweenExecutors between executors, including from an executor to itself
 */
public record Traffic(long toDriver, long betweenExecutors) {
    /** The traffic since an earlier moment. */
    public Traffic minus(Traffic earlier) {
        return new Traffic(toDriver - earlier.toDriver, betweenExecutors - earlier.betweenExecutors);
    }
}
