package dev.pgkq.reward;

import dev.pgkq.episode.Episode;
import java.util.List;

/** Evaluates rewards: the stage that costs. */
public interface RewardOracle extends AutoCloseable {
    /** The rewards of these episodes, in their order. */
    List<Rewards> evaluate(List<Episode> episodes);

    @Override
    default void close() {}
}
