package dev.pgkq.batch;

import dev.pgkq.episode.Episode;
import dev.pgkq.reward.RewardOracle;
import java.util.List;

/** Evaluates the monitored return of episodes. It is free, and its values are reported and never trained on. */
@FunctionalInterface
public interface Monitor extends AutoCloseable {
    /**
     * {@return the undiscounted return of an episode in the monitored reward}
     *
     * @param episode the episode to evaluate
     */
    double returnOf(Episode episode);

    /**
     * {@return the monitored returns of these episodes; they are evaluated on each request}
     *
     * @param episodes the episodes of a batch, in its order
     */
    default MonitoredReturns of(List<Episode> episodes) {
        return () -> episodes.stream().mapToDouble(this::returnOf).toArray();
    }

    @Override
    default void close() {}

    /**
     * {@return a monitor of the oracle's reward; closing the monitor closes the oracle}
     *
     * @param oracle evaluates the rewards
     */
    static Monitor of(RewardOracle oracle) {
        return new Monitor() {
            @Override
            public double returnOf(Episode episode) {
                return oracle.evaluate(List.of(episode)).getFirst().total();
            }

            @Override
            public void close() {
                oracle.close();
            }
        };
    }
}
