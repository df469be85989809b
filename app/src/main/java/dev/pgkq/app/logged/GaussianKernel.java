package dev.pgkq.app.logged;

import dev.pgkq.episode.Steps;
import dev.pgkq.gp.EmbeddedEpisodes;
import dev.pgkq.gp.EpisodicGram;
import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.text.Numbers;
import dev.pgkq.text.UserException;
import java.util.Arrays;

/**
 * A Gaussian kernel between steps z = (s, a), for episodes without a trained model:
 *
 * <pre>
 *   K(e, e') = Σ_t Σ_u w_t w'_u exp(−‖z_t − z'_u‖² / (2 ℓ²))
 * </pre>
 *
 * where ℓ is the median distance between the steps of a random sample (the median heuristic).
 *
 * @param inputs how z is scaled
 * @param weights how w is chosen
 * @param gram computes the sums
 * @param seed seed of the random sample
 */
public record GaussianKernel(Inputs inputs, Weights weights, EpisodicGram gram, long seed) implements EpisodeKernel {
    private static final int SAMPLE = 1000;
    /** Kernels are computed in single precision, which cannot resolve distances far smaller than the distance to the mean. */
    private static final double MAX_DISTANCE = 1000;

    /** How the numbers of a step are scaled. */
    public enum Inputs {
        /** Each number divided by its standard deviation. */
        STANDARDIZED,
        /** Unchanged. */
        RAW
    }

    /** The weight of a step in its episode. */
    public enum Weights {
        /** 1/T: an episode is the distribution of its steps, independent of their number. */
        MEAN,
        /** 1: for sums over steps, such as rewards. */
        SUM
    }

    @Override
    public KernelMatrix matrix(LoggedEpisodes episodes, Workers workers) {
        Steps steps = episodes.steps();
        int width = episodes.observationSize() + episodes.actionSize();
        EpisodeKernel.requireCapacity(steps, 2 + width);
        NormalizedSteps scaled = new NormalizedSteps(steps.stateActions(), width, inputs == Inputs.STANDARDIZED);
        double length = scaled.medianDistance(SAMPLE, RandomStream.of(seed, Purpose.LENGTH_SCALE));
        requireNoOutliers(episodes, scaled, length);
        float[] embeddings = scaled.times(Math.sqrt(EpisodicGram.TWICE_SQUARED_LENGTH / 2) / length);
        double[] values = gram.of(new EmbeddedEpisodes(steps.starts(), width, embeddings, 1, weights(steps)), workers);
        return new KernelMatrix(
                GramMatrix.of(values),
                "Gaussian of " + (inputs == Inputs.RAW ? "raw" : "standardized") + " steps, length scale "
                        + Numbers.brief(length));
    }

    private static void requireNoOutliers(LoggedEpisodes episodes, NormalizedSteps scaled, double length) {
        double largest = 0;
        int farthest = 0;
        for (int step = 0; step < scaled.count(); step++) {
            double distance = scaled.distance(step);
            if (distance > largest) {
                largest = distance;
                farthest = step;
            }
        }
        if (largest > MAX_DISTANCE * length) {
            throw new UserException(episodes.describeStep(farthest) + " is " + Numbers.brief(largest / length)
                    + " times as far from the mean as typical steps are from each other. If this is an error in the data,"
                    + " fix it; otherwise remove the episode");
        }
    }

    private float[] weights(Steps steps) {
        float[] each = new float[steps.size()];
        for (int i = 0; i < steps.episodes(); i++) {
            Arrays.fill(
                    each,
                    steps.start(i),
                    steps.start(i) + steps.length(i),
                    weights == Weights.SUM ? 1f : 1f / steps.length(i));
        }
        return each;
    }
}
