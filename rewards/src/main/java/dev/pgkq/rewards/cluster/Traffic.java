package dev.pgkq.rewards.cluster;

/**
 * Bytes that were moved so far.
 *
 * @param toDriver from executors to the driver
 * @param betweenExecutors from executors to each other, and to themselves
 */
public record Traffic(long toDriver, long betweenExecutors) {
    public Traffic minus(Traffic earlier) {
        return new Traffic(toDriver - earlier.toDriver, betweenExecutors - earlier.betweenExecutors);
    }
}
