package dev.pgkq.select;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;

/** Chooses which episodes of a batch to pay for, before any reward is known. */
@FunctionalInterface
public interface EpisodeSelector {
    /**
     * Chooses episodes of a batch and their weights.
     *
     * @param batch all episodes of the iteration
     * @param iteration 1, 2, …; keys random choices
     */
    Selection select(EpisodeBatch batch, int iteration);

    /** Returns a selector of all episodes, with equal weights. */
    static EpisodeSelector all() {
        return (batch, iteration) -> Selection.withoutKernel(WeightedPoints.all(batch.size()));
    }

    /** Returns a selector of {@code count} random episodes, with equal weights. */
    static EpisodeSelector random(int count, long seed) {
        return (batch, iteration) -> {
            RandomStream random = RandomStream.of(seed, Purpose.SELECTION, iteration);
            return Selection.withoutKernel(WeightedPoints.equal(random.subset(batch.size(), count)));
        };
    }
}
