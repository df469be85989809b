package dev.pgkq.kernel;

import dev.pgkq.credit.Credit;
import dev.pgkq.episode.Steps;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.gp.EmbeddedEpisodes;
import dev.pgkq.gp.EpisodicGram;
import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.GramMatrix;
import java.util.Arrays;

/**
 * The kernel between episodes. With the learned kernel k between steps and the credit v of every step,
 *
 * <pre>
 *   K(e, e') = Σ_t Σ_u ⟨v_t, v'_u⟩ k(z_t, z'_u)
 * </pre>
 *
 * is the covariance of Σ_t v_t r_t between episodes. If advantages are shifted to mean 0 over the batch, the sum whose error
 * counts is Σ_t g_t (x_t − x̄) Â_t with x̄ = Σ g_t x_t / Σ g_t over all episodes of the batch. A <i>centred</i> kernel is that
 * of this sum.
 *
 * <p>{@link #view(Steps, Workers)} computes K where all steps are on one machine. Otherwise each machine {@link
 * #embed}s its own steps, the {@link #centre} follows from the {@link #factorSums} of all of them, each machine computes the
 * {@link #credited} steps, the {@link #gram} is computed in blocks, and {@link #view(double[], int[], double[], double[])}
 * adds scale and noise.
 *
 * @param steps k
 * @param credits v of factors that are not centred
 * @param centred whether the mean factor of a batch is subtracted from its factors
 * @param gram computes the sums over steps
 * @param noise whether the kernel's noise is added to the diagonal of K
 */
public record EpisodicKernel(DeepKernel steps, StepCredits credits, boolean centred, EpisodicGram gram, boolean noise) {
    /**
     * {@return this kernel, computed in another way}
     *
     * @param other computes the sums over steps
     */
    public EpisodicKernel withGram(EpisodicGram other) {
        return new EpisodicKernel(steps, credits, centred, other, noise);
    }

    /**
     * Computes K between episodes. It needs states and actions, but no rewards.
     *
     * @param batch the episodes
     * @param workers share the work
     * @return K and what belongs to it
     */
    public KernelView view(Steps batch, Workers workers) {
        EmbeddedEpisodes factored = embed(batch);
        double[] centre = centre(factorSums(factored));
        EmbeddedEpisodes embedded = credited(factored, centre);
        int[] lengths = new int[batch.episodes()];
        Arrays.setAll(lengths, batch::length);
        return view(gram.of(embedded, workers), lengths, squaredCredits(embedded), centre);
    }

    /**
     * Computes features and factors of steps. The bits of an episode do not depend on the others.
     *
     * @param batch the episodes
     * @return the steps, with their factors x as weights
     */
    public EmbeddedEpisodes embed(Steps batch) {
        return new EmbeddedEpisodes(
                batch.starts(),
                DeepKernel.FEATURES,
                steps.embed(batch.starts(), batch.stateActions()),
                credits.dimensions(),
                credits.factors().of(batch));
    }

    /**
     * Computes what each episode contributes to the centre of its batch. The bits of an episode do not depend on the others.
     *
     * @param factored steps with their factors
     * @return equally many values for every episode: none if the kernel is not centred
     */
    public double[] factorSums(EmbeddedEpisodes factored) {
        return centred ? credits.sums(factored.starts(), factored.weights()) : new double[0];
    }

    /**
     * Computes the centre of a batch.
     *
     * @param factorSums of all episodes, in the order of the batch
     * @return the mean factor x̄; 0 if the kernel is not centred
     */
    public double[] centre(double[] factorSums) {
        return credits.mean(factorSums);
    }

    /**
     * Computes the credits of steps from their factors.
     *
     * @param factored steps with their factors
     * @param centre of the batch
     * @return the steps as the gram sees them, with their credits v as weights
     */
    public EmbeddedEpisodes credited(EmbeddedEpisodes factored, double[] centre) {
        return factored.withWeights(credits.around(centre).of(factored.starts(), factored.weights()));
    }

    /**
     * Computes the variance that noise of variance 1 in what is known adds to K of each episode with itself: Σ ‖v_t‖² over
     * its steps, or ‖v_0‖² if Σ_u γ^u r_u is known, whose coefficient is that of r_0.
     *
     * @param credited steps with their credits
     * @return the squares of each episode
     */
    public double[] squaredCredits(EmbeddedEpisodes credited) {
        double[] squares = new double[credited.count()];
        Arrays.setAll(squares, i -> credited.squaredWeights(i, ofSums() ? 1 : credited.length(i)));
        return squares;
    }

    /**
     * Completes K from its parts: adds scale and noise.
     *
     * @param sums the Gram matrix; taken over
     * @param lengths of the episodes
     * @param squaredCredits of the episodes
     * @param centre of the batch
     * @return K and what belongs to it
     */
    public KernelView view(double[] sums, int[] lengths, double[] squaredCredits, double[] centre) {
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
        return new KernelView(GramMatrix.of(sums), squaredCredits, credits.around(centre));
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
