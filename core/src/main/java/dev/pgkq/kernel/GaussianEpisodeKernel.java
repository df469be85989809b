package dev.pgkq.kernel;

import dev.pgkq.episode.Steps;
import dev.pgkq.gp.EmbeddedEpisodes;
import dev.pgkq.gp.EpisodicGram;
import dev.pgkq.gp.ExactGram;
import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;

/**
 * A kernel between episodes about whose rewards nothing is known: a Gaussian kernel between steps z = (s, a), summed over both
 * episodes,
 *
 * <pre>
 *   K(e, e') = Σ_t Σ_u w_t w'_u exp(−‖z_t − z'_u‖² / (2 ℓ²))
 * </pre>
 *
 * where ℓ is the median distance between steps of a random sample.
 *
 * @param inputs how z is scaled
 * @param weights the weight w of a step
 * @param gram computes the sums
 * @param seed of the random sample
 */
public record GaussianEpisodeKernel(Inputs inputs, Weights weights, EpisodicGram gram, long seed) {
    /** Number of steps in the sample for ℓ. */
    public static final int SAMPLE = 1000;

    /** Largest distance of a step from the mean, in units of ℓ. Floats cannot separate steps beyond it from each other. */
    public static final double LARGEST_DISTANCE = 1000;

    /** How the components of a step are scaled. */
    public enum Inputs {
        /** Each by its standard deviation. */
        STANDARDIZED,
        /** Not at all. */
        RAW
    }

    /** The weight of a step in its episode. */
    public enum Weights {
        /** 1/T: an episode is the distribution of its steps, whatever its length. */
        MEAN,
        /** 1: for quantities that are sums over steps, such as returns. */
        SUM
    }

    /**
     * The kernel between episodes of a set.
     *
     * @param gram the kernel between all pairs
     * @param lengthScale ℓ
     */
    public record Comparison(GramMatrix gram, double lengthScale) {}

    /** A step is so far from all others that it is probably an error in the data. */
    public static final class OutlyingStepException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        /** Index of the step among the steps of all episodes, from 0. */
        private final int step;
        /** The step's distance from the mean, in units of ℓ. */
        private final double ratio;

        private OutlyingStepException(int step, double ratio) {
            super("step " + step + " is " + ratio + " times as far from the mean as steps are from each other");
            this.step = step;
            this.ratio = ratio;
        }

        /**
         * Returns the index of the step among the steps of all episodes.
         *
         * @return the index, from 0
         */
        public int step() {
            return step;
        }

        /**
         * Returns the step's distance from the mean.
         *
         * @return the distance in units of ℓ
         */
        public double ratio() {
            return ratio;
        }
    }

    /**
     * Returns the kernel with its usual choices: standardised steps, weights 1/T, exact sums.
     *
     * @param seed of the random sample that determines ℓ
     * @return the kernel
     */
    public static GaussianEpisodeKernel standard(long seed) {
        return new GaussianEpisodeKernel(Inputs.STANDARDIZED, Weights.MEAN, new ExactGram(), seed);
    }

    /**
     * Computes the kernel between all pairs of episodes.
     *
     * @param steps the episodes' steps
     * @param workers threads that compute it
     * @return the matrix and the length scale
     * @throws IllegalArgumentException if there are no steps
     * @throws OutlyingStepException if a step is farther than {@link #LARGEST_DISTANCE} from the mean
     */
    public Comparison compare(Steps steps, Workers workers) {
        if (steps.size() == 0) {
            throw new IllegalArgumentException("there are no steps to compare");
        }
        float[] values = steps.stateActions();
        int width = values.length / steps.size();
        NormalizedSteps scaled = new NormalizedSteps(values, width, inputs == Inputs.STANDARDIZED);
        double length = scaled.medianDistance(SAMPLE, RandomStream.of(seed, Purpose.LENGTH_SCALE));
        requireNear(scaled, length);
        float[] embeddings = scaled.times(Math.sqrt(EpisodicGram.TWICE_SQUARED_LENGTH / 2) / length);
        double[] sums = gram.of(new EmbeddedEpisodes(steps.starts(), width, embeddings, 1, weights(steps)), workers);
        return new Comparison(GramMatrix.of(sums), length);
    }

    private static void requireNear(NormalizedSteps scaled, double length) {
        double largest = 0;
        int farthest = 0;
        for (int step = 0; step < scaled.count(); step++) {
            double distance = scaled.distance(step);
            if (distance > largest) {
                largest = distance;
                farthest = step;
            }
        }
        if (largest > LARGEST_DISTANCE * length) {
            throw new OutlyingStepException(farthest, largest / length);
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
