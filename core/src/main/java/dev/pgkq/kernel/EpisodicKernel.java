package dev.pgkq.kernel;

import dev.pgkq.credit.Credit;
import dev.pgkq.episode.Steps;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.gp.EmbeddedEpisodes;
import dev.pgkq.gp.EpisodicGram;
import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.GramMatrix;

/**
 * The kernel between episodes: with the learned kernel k between steps and the credit v of every step,
 *
 * <pre>
 *   K(e, e') = Σ_t Σ_u ⟨v_t, v'_u⟩ k(z_t, z'_u)
 * </pre>
 *
 * is the covariance of Σ_t v_t r_t between episodes.
 *
 * <p>{@link #view(Steps, Workers)} is all of it where the steps are in one place. Where they are not, each place
 * {@link #embed}s its own, the {@link #gram} is had in blocks, and {@link #view(double[], int[], double[])} adds the rest.
 *
 * @param steps k
 * @param credits v
 * @param gram computes the sums over steps
 * @param noise whether the kernel's noise, which is on the diagonal of K only, counts
 */
public record EpisodicKernel(DeepKernel steps, StepCredits credits, EpisodicGram gram, boolean noise) {
    /** K between episodes of which states and actions are known, and nothing else has to be. */
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

    /** The steps as the sums see them; of an episode, the same bits whatever the others are. */
    public EmbeddedEpisodes embed(Steps batch) {
        return new EmbeddedEpisodes(
                batch.starts(),
                DeepKernel.FEATURES,
                steps.embed(batch.starts(), batch.stateActions()),
                credits.dimensions(),
                credits.of(batch));
    }

    /** Σ ‖v_t‖² over those steps of an episode of which an oracle tells something. */
    public double squaredCredits(EmbeddedEpisodes embedded, int episode) {
        return embedded.squaredWeights(episode, ofSums() ? 1 : embedded.length(episode));
    }

    /**
     * @param sums the Gram matrix; taken over
     * @param lengths of the episodes
     * @param squaredCredits of the episodes
     */
    public KernelView view(double[] sums, int[] lengths, double[] squaredCredits) {
        double unit = ofSums() ? Math.pow(meanSum(lengths), 2) : 1;
        double scale = Math.exp(steps.scale());
        for (int i = 0; i < sums.length; i++) {
            sums[i] *= scale;
        }
        for (int i = 0; i < lengths.length; i++) {
            int diagonal = i * lengths.length + i;
            // where credits cancel, what is left of a sum of floats may be just below 0
            sums[diagonal] = Math.max(0, sums[diagonal]);
            sums[diagonal] += noise ? steps.noiseVariance() * squaredCredits[i] * unit : 0;
        }
        return new KernelView(GramMatrix.of(sums), squaredCredits, credits);
    }

    private boolean ofSums() {
        return credits.target() == Credit.Target.SUMS;
    }

    /** The mean over episodes of Σ_t γ^t: what sums are divided by where their kernel is learned. */
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
