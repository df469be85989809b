package dev.pgkq.select;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.kernel.KernelView;
import dev.pgkq.quadrature.QuadratureRule;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Optional;

/**
 * Kernel quadrature on episodes. The worst-case error of a rule for K is the root-mean-square error of the mean over the batch
 * under the Gaussian process with covariance K.
 *
 * @param kernel K, the kernel between episodes
 * @param rule the quadrature rule
 * @param count n, the number of episodes to choose
 * @param seed seed of the run
 */
public record KernelSelector(EpisodicKernel kernel, QuadratureRule rule, int count, long seed)
        implements EpisodeSelector {
    @Override
    public Selection select(EpisodeBatch batch, Round round) {
        return choose(batch, round.iteration());
    }

    /**
     * Chooses episodes; V plays no part.
     *
     * @param batch all episodes of the iteration
     * @param iteration 1, 2, …; keys random choices
     * @return the chosen episodes, their weights, and the kernel
     */
    public Selection choose(EpisodeBatch batch, int iteration) {
        KernelView view = batch.view(kernel);
        WeightedPoints points = rule.choose(view.gram(), count, RandomStream.of(seed, Purpose.SELECTION, iteration));
        return new Selection(points, Optional.of(view));
    }
}
