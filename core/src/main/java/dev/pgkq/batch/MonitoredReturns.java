package dev.pgkq.batch;

/**
 * The monitored return of every episode of a batch. The returns are reported and never trained on, so they are kept apart
 * from the {@link EpisodeBatch}: no selector, estimator or learner can reach them.
 */
@FunctionalInterface
public interface MonitoredReturns {
    /** {@return the undiscounted return of each episode, in the order of the batch} */
    double[] values();
}
