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
     * @param round the iteration
     * @return the chosen episodes, their weights, and the kernel if one was used
     */
    Selection select(EpisodeBatch batch, Round round);

    /** {@return a selector of all episodes, with equal weights} */
    static EpisodeSelector all() {
        return (batch, round) -> Selection.withoutKernel(WeightedPoints.all(batch.size()));
    }

    /**
     * {@return a selector of random episodes, drawn without replacement, with equal weights}
     *
     * @param count number of episodes to select; a smaller batch is selected as a whole
     * @param seed determines the choice, together with the iteration
     */
    static EpisodeSelector random(int count, long seed) {
        return (batch, round) -> {
            RandomStream random = RandomStream.of(seed, Purpose.SELECTION, round.iteration());
            return Selection.withoutKernel(WeightedPoints.equal(random.subset(batch.size(), count)));
        };
    }
}
