package dev.pgkq.batch;

import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.GaussianPolicy;

/**
 * Samples with threads of this process.
 *
 * @param rollouts do it; closed with the source
 * @param monitor the return that is watched; closed with the source
 * @param workers do a kernel's sums
 */
public record LocalSource(LocalRollouts rollouts, Monitor monitor, Workers workers) implements EpisodeSource {
    @Override
    public EpisodeBatch sample(GaussianPolicy policy, int iteration, int count) {
        return new LocalBatch(rollouts.sample(policy, iteration, count), monitor, workers);
    }

    @Override
    public void close() {
        rollouts.close();
        monitor.close();
    }
}
