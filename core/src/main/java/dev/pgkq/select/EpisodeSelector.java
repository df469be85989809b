package dev.pgkq.select;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;

/** Chooses, before any reward is known, which episodes of a batch are paid for. */
@FunctionalInterface
public interface EpisodeSelector {
    Selection select(EpisodeBatch batch, int iteration);

    /** Pays for all of them. */
    static EpisodeSelector all() {
        return (batch, iteration) -> Selection.withoutKernel(WeightedPoints.all(batch.size()));
    }

    /** Pays for {@code count} of them at random, all with the same weight. */
    static EpisodeSelector random(int count, long seed) {
        return (batch, iteration) -> {
            RandomStream random = RandomStream.of(seed, Purpose.SELECTION, iteration);
            return Selection.withoutKernel(WeightedPoints.equal(random.subset(batch.size(), count)));
        };
    }
}
