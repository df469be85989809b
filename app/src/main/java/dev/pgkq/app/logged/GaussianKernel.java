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
 * A Gaussian kernel between steps z = (s, a), for episodes of which nothing is known:
 *
 * <pre>
 *   K(e, e') = Σ_t Σ_u w_t w'_u exp(−‖z_t − z'_u‖² / (2 ℓ²))
 * </pre>
 *
 * with ℓ the median distance between steps of a random sample: half of the pairs are more alike than that, half less.
 *
 * @param inputs what z is
 * @param weights what w is
 * @param gram computes the sums
 * @param seed of the sample
 */
public record GaussianKernel(Inputs inputs, Weights weights, EpisodicGram gram, long seed) implements EpisodeKernel {
    private static final int SAMPLE = 1000;
    /** Kernels are computed in floats, which do not tell steps apart that are near each other and far from all others. */
    private static final double FARTHEST = 1000;

    /** What the numbers of a step are measured in. */
    public enum Inputs {
        /** Each in its own standard deviation. */
        STANDARDIZED,
        /** As they are. */
        RAW
    }

    /** What a step counts in its episode. */
    public enum Weights {
        /** 1/T: an episode is the distribution of its steps, whatever their number. */
        MEAN,
        /** 1: what is wanted is a sum over steps, as of rewards. */
        SUM
    }

    @Override
    public Seen of(LoggedEpisodes episodes, Workers workers) {
        Steps steps = episodes.steps();
        int width = episodes.observationSize() + episodes.actionSize();
        EpisodeKernel.requireRoom(steps, 2 + width);
        ScaledSteps scaled = new ScaledSteps(steps.stateActions(), width, inputs == Inputs.STANDARDIZED);
        double length = scaled.medianDistance(SAMPLE, RandomStream.of(seed, Purpose.LENGTH_SCALE));
        requireNear(episodes, scaled, length);
        float[] embeddings = scaled.times(Math.sqrt(EpisodicGram.TWICE_SQUARED_LENGTH / 2) / length);
        double[] values = gram.of(new EmbeddedEpisodes(steps.starts(), width, embeddings, 1, weights(steps)), workers);
        return new Seen(
                GramMatrix.of(values),
                "Gaussian of " + (inputs == Inputs.RAW ? "raw" : "standardized") + " steps, length scale "
                        + Numbers.brief(length));
    }

    private static void requireNear(LoggedEpisodes episodes, ScaledSteps scaled, double length) {
        double largest = 0;
        int farthest = 0;
        for (int step = 0; step < scaled.count(); step++) {
            double distance = scaled.distance(step);
            if (distance > largest) {
                largest = distance;
                farthest = step;
            }
        }
        if (largest > FARTHEST * length) {
            throw new UserException(episodes.describe(farthest) + " is " + Numbers.brief(largest / length)
                    + " times as far from the mean as steps usually are from each other: a mistake in the data? If not,"
                    + " leave the episode out");
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
