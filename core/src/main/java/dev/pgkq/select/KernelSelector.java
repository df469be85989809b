package dev.pgkq.select;

import dev.pgkq.credit.Credit;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.Steps;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.gp.EmbeddedEpisodes;
import dev.pgkq.gp.EpisodicGram;
import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.quadrature.QuadratureRule;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.select.Selection.KernelView;
import java.util.List;
import java.util.Optional;

/**
 * Kernel quadrature on episodes: with the learned kernel k between steps and the credit v of every step,
 *
 * <pre>
 *   K(e, e') = Σ_t Σ_u ⟨v_t, v'_u⟩ k(z_t, z'_u)
 * </pre>
 *
 * is the covariance of Σ_t v_t r_t between episodes, and the worst-case error of a quadrature rule for K is the
 * root-mean-square error of the sum over the batch under the Gaussian process.
 *
 * @param kernel k
 * @param factors what advantages are summed up with
 * @param target what the process is a model of
 * @param credit how rewards become advantages
 * @param gram computes the sums over steps
 * @param noise whether the kernel's noise, which is on the diagonal of K only, counts
 * @param rule chooses the episodes
 * @param count n, how many
 * @param seed of the run
 * @param workers do the sums
 */
public record KernelSelector(
        DeepKernel kernel,
        StepFactors factors,
        Credit.Target target,
        Credit credit,
        EpisodicGram gram,
        boolean noise,
        QuadratureRule rule,
        int count,
        long seed,
        Workers workers)
        implements EpisodeSelector {

    @Override
    public Selection select(List<Episode> batch, int iteration) {
        KernelView view = view(batch);
        WeightedPoints points = rule.choose(view.gram(), count, RandomStream.of(seed, Purpose.SELECTION, iteration));
        return new Selection(points, Optional.of(view));
    }

    /** K between the episodes of a batch. */
    public KernelView view(List<Episode> batch) {
        return view(Steps.of(batch));
    }

    /** K between episodes of which states and actions are known, and nothing else has to be. */
    public KernelView view(Steps steps) {
        int episodes = steps.episodes();
        float[] credits = credit.of(target, steps.starts(), factors.of(steps), factors.dimensions());
        EmbeddedEpisodes embedded = new EmbeddedEpisodes(
                steps.starts(), DeepKernel.FEATURES, kernel.embed(steps.stateActions()), factors.dimensions(), credits);
        double[] values = gram.of(embedded, workers);
        double[] ofNoise = new double[episodes];
        double unit = target == Credit.Target.SUMS ? Math.pow(meanSum(steps), 2) : 1;
        double scale = Math.exp(kernel.scale());
        for (int i = 0; i < values.length; i++) {
            values[i] *= scale;
        }
        for (int i = 0; i < episodes; i++) {
            int diagonal = i * episodes + i;
            // where credits cancel, what is left of a sum of floats may be just below 0
            values[diagonal] = Math.max(0, values[diagonal]);
            ofNoise[i] = embedded.squaredWeights(i, target == Credit.Target.SUMS ? 1 : embedded.length(i));
            values[diagonal] += noise ? kernel.noiseVariance() * ofNoise[i] * unit : 0;
        }
        return new KernelView(GramMatrix.of(values), embedded, ofNoise);
    }

    /** The mean over episodes of Σ_t γ^t: what sums are divided by where their kernel is learned. */
    private double meanSum(Steps steps) {
        double sum = 0;
        for (int e = 0; e < steps.episodes(); e++) {
            double g = 1;
            for (int t = 0; t < steps.length(e); t++) {
                sum += g / steps.episodes();
                g *= credit.discount();
            }
        }
        return sum;
    }
}
