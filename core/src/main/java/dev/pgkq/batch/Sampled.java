package dev.pgkq.batch;

/**
 * The result of sampling: the batch that training works on, and the monitored returns, which only the report reads.
 *
 * @param batch the episodes, without rewards
 * @param returns the monitored return of every episode
 */
public record Sampled(EpisodeBatch batch, MonitoredReturns returns) {}
