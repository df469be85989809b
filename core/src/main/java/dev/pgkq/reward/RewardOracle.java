package dev.pgkq.reward;

import dev.pgkq.batch.Monitor;
import dev.pgkq.episode.Episode;
import java.util.List;

/** Evaluates rewards: the stage that costs. */
public interface RewardOracle extends AutoCloseable {
    /** The rewards of these episodes, in their order. */
    List<Rewards> evaluate(List<Episode> episodes);

    /** To be watched, and closed, instead of being paid for. */
    default Monitor monitor() {
        RewardOracle oracle = this;
        return new Monitor() {
            @Override
            public double of(Episode episode) {
                return oracle.evaluate(List.of(episode)).getFirst().total();
            }

            @Override
            public void close() {
                oracle.close();
            }
        };
    }

    @Override
    default void close() {}
}
