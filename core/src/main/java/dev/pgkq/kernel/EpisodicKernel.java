package dev.pgkq.kernel;

import dev.pgkq.credit.Credit;
import dev.pgkq.episode.Steps;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.gp.EmbeddedEpisodes;
import dev.pgkq.gp.EpisodicGram;
import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.GramMatrix;

/**
 * The kernel between episodes. With the learned kernel k between steps and the credit v of every step,
 *
 * <pre>
 *   K(e, e') = Σ_t Σ_u ⟨v_t, v'_u⟩ k(z_t, z'_u)
 * </pre>
 *
 * is the covariance of Σ_t v_t r_t between episodes.
 *
 * <p>{@link #view(Steps, Workers)} computes K where all steps are on one machine. Otherwise each machine {@link
 * #embed}s its own steps, the {@link #gram} is computed in blocks, and {@link #view(double[], int[], double[])} adds
 * scale and noise.
 *
 * @param steps k
 * @param credits v
 * @param gram computes the sums over steps
 * @param noise whether the kernel's noise is added to the diagonal of K
 */
public record EpisodicKernel(DeepKernel steps, StepCredits credits, EpisodicGram gram, boolean noise) {
    /**
     * Computes K between episodes. It needs states and actions, but no rewards.
     *
     * @param batch the episodes
     * @param workers share the work
     * @return K and what belongs to it
     */
    public KernelView view(Steps batch, Workers workers) {
        EmbeddedEpisodes embedded = embed(batch);
        int[] lengths = new int[batch.episodes()];
        double[] squares = new double[lengths.length];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = batch.length(i);
            squares[i] = squaredCredits(embedded, i);
        }
        return view(gram.of(embedded, workers), lengths, squares);
    }

    /**
     * Computes features and credits of steps. The bits of an episode do not depend on the others.
     *
     * @param batch the episodes
     * @return the steps as the gram sees them
     */
    public EmbeddedEpisodes embed(Steps batch) {
        return new EmbeddedEpisodes(
                batch.starts(),
                DeepKernel.FEATURES,
                steps.embed(batch.starts(), batch.stateActions()),
                credits.dimensions(),
                credits.of(batch));
    }

    /**
     * Computes Σ ‖v_t‖² over those steps of an episode for which an oracle gives a number.
     *
     * @param embedded the episodes
     * @param episode number of one
     * @return the sum of squares
     */
    public double squaredCredits(EmbeddedEpisodes embedded, int episode) {
        return embedded.squaredWeights(episode, ofSums() ? 1 : embedded.length(episode));
    }

    /**
     * Completes K from its parts: adds scale and noise.
     *
     * @param sums the Gram matrix; taken over
     * @param lengths of the episodes
     * @param squaredCredits of the episodes
     * @return K and what belongs to it
     */
    public KernelView view(double[] sums, int[] lengths, double[] squaredCredits) {
        double unit = ofSums() ? Math.pow(meanSum(lengths), 2) : 1;
        double scale = Math.exp(steps.scale());
        for (int i = 0; i < sums.length; i++) {
            sums[i] *= scale;
        }
        for (int i = 0; i < lengths.length; i++) {
            int diagonal = i * lengths.length + i;
            // where credits cancel, rounding may make a sum slightly negative
            sums[diagonal] = Math.max(0, sums[diagonal]);
            sums[diagonal] += noise ? steps.noiseVariance() * squaredCredits[i] * unit : 0;
        }
        return new KernelView(GramMatrix.of(sums), squaredCredits, credits);
    }

    private boolean ofSums() {
        return credits.target() == Credit.Target.SUMS;
    }

    /** The mean over episodes of Σ_t γ^t: the unit of sums when their kernel is learned. */
    private double meanSum(int[] lengths) {
        double sum = 0;
        for (int length : lengths) {
            double g = 1;
            for (int t = 0; t < length; t++) {
                sum += g / lengths.length;
                g *= credits.credit().discount();
            }
        }
        return sum;
    }
}
