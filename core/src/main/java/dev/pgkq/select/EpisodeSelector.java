package dev.pgkq.select;

import dev.pgkq.episode.Episode;
import dev.pgkq.quadrature.WeightedPoints;
import java.util.List;

/** Chooses, before any reward is known, which episodes of a batch are paid for. */
@FunctionalInterface
public interface EpisodeSelector {
    WeightedPoints select(List<Episode> batch, int iteration);

    /** Pays for all of them. */
    static EpisodeSelector all() {
        return (batch, iteration) -> WeightedPoints.all(batch.size());
    }
}
