package dev.pgkq.reward;

import dev.pgkq.episode.Episode;
import java.util.List;

/** Evaluates rewards. It always answers; {@link RewardSource} may fail. */
public interface RewardOracle extends AutoCloseable {
    /**
     * {@return the rewards of these episodes, in their order}
     *
     * @param episodes the episodes to evaluate; not modified
     */
    List<Rewards> evaluate(List<Episode> episodes);

    @Override
    default void close() {}
}
