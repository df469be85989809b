package dev.pgkq.batch;

import dev.pgkq.episode.Episode;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import java.util.List;

/**
 * Samples episodes with the threads of this process.
 *
 * @param rollouts sample the episodes; closed with the source
 * @param monitor evaluates the monitored returns; closed with the source
 * @param workers compute Gram matrices
 */
public record LocalSource(LocalRollouts rollouts, Monitor monitor, Workers workers) implements EpisodeSource {
    @Override
    public Sampled sample(Policy policy, int iteration, int count) {
        List<Episode> episodes = rollouts.sample(policy, iteration, count);
        return new Sampled(new LocalBatch(episodes, workers), monitor.of(episodes));
    }

    @Override
    public void close() {
        rollouts.close();
        monitor.close();
    }
}
