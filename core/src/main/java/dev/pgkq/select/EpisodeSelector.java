package dev.pgkq.select;

import dev.pgkq.episode.Episode;
import dev.pgkq.quadrature.RandomSubset;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.List;

/** Chooses, before any reward is known, which episodes of a batch are paid for. */
@FunctionalInterface
public interface EpisodeSelector {
    Selection select(List<Episode> batch, int iteration);

    /** Pays for all of them. */
    static EpisodeSelector all() {
        return (batch, iteration) -> Selection.withoutKernel(WeightedPoints.all(batch.size()));
    }

    /** Pays for {@code count} of them at random, all with the same weight. */
    static EpisodeSelector random(int count, long seed) {
        return (batch, iteration) -> {
            RandomStream random = RandomStream.of(seed, Purpose.SELECTION, iteration);
            return Selection.withoutKernel(RandomSubset.draw(batch.size(), count, random));
        };
    }
}
