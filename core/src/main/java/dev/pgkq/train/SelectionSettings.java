package dev.pgkq.train;

import dev.pgkq.quadrature.Quadrature;
import dev.pgkq.quadrature.QuadratureRule;
import dev.pgkq.quadrature.Reweighted;
import dev.pgkq.text.Require;
import dev.pgkq.train.TrainSettings.Preset;
import java.io.Serializable;

/**
 * How a kernel chooses episodes.
 *
 * @param quadrature the rule
 * @param reweight how the chosen episodes are weighted
 * @param kernel the quantity whose error is kept small
 * @param scoreDimensions d, the dimensions that scores are projected to; 0 uses them whole, for small networks
 * @param noise whether the noise of the kernel between steps is included
 * @param gram how the kernel between episodes is computed
 * @param gramFeatures m, the number of random features, if it is computed with them
 */
public record SelectionSettings(
        Quadrature quadrature,
        Reweight reweight,
        Kernel kernel,
        int scoreDimensions,
        Noise noise,
        Gram gram,
        int gramFeatures)
        implements Serializable {

    /** How the points that a rule chooses are weighted. */
    public enum Reweight {
        /** With the weights of the rule. */
        NONE,
        /** With the best weights that are nonnegative and sum to 1. */
        SIMPLEX;

        /**
         * {@return the rule with these weights}
         *
         * @param quadrature chooses the points
         */
        public QuadratureRule rule(Quadrature quadrature) {
            return this == SIMPLEX ? new Reweighted(quadrature.rule()) : quadrature.rule();
        }
    }

    /** Whether the kernel between episodes includes the noise of the kernel between steps. */
    public enum Noise {
        /** It does, as in the paper. */
        INCLUDE,
        /** It does not. */
        EXCLUDE
    }

    /** The quantity whose error the worst-case error bounds. */
    public enum Kernel {
        /** The sum of advantages, as in the paper. */
        SCALAR,
        /** The policy gradient. */
        SCORE
    }

    /** How sums over all pairs of steps are computed. */
    public enum Gram {
        /** Exactly: the cost is quadratic in the number of steps. */
        EXACT,
        /** Orthogonal random features: an approximation whose cost is linear in the number of steps. */
        FEATURES
    }

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if {@code scoreDimensions} is negative, or {@code gramFeatures} is odd or below 2
     */
    public SelectionSettings {
        Require.atLeast(0, "score dimensions", scoreDimensions);
        Require.atLeast(2, "Gram features", gramFeatures);
        Require.that(gramFeatures % 2 == 0, "Gram features must be an even number, got " + gramFeatures);
    }

    static SelectionSettings defaults(Preset preset, Variant variant) {
        return switch (preset) {
            case STANDARD ->
                new SelectionSettings(
                        variant == Variant.KQ_PLUS ? Quadrature.PURSUIT : Quadrature.SEARCH,
                        Reweight.SIMPLEX,
                        Kernel.SCORE,
                        32,
                        Noise.EXCLUDE,
                        Gram.EXACT,
                        512);
            case PAPER ->
                new SelectionSettings(
                        Quadrature.RECOMBINATION, Reweight.NONE, Kernel.SCALAR, 32, Noise.INCLUDE, Gram.EXACT, 512);
        };
    }

    /**
     * {@return these settings with another rule}
     *
     * @param other the new rule
     */
    public SelectionSettings withQuadrature(Quadrature other) {
        return new SelectionSettings(other, reweight, kernel, scoreDimensions, noise, gram, gramFeatures);
    }

    /**
     * {@return these settings with other weights of the chosen episodes}
     *
     * @param other how the chosen episodes are weighted
     */
    public SelectionSettings withReweight(Reweight other) {
        return new SelectionSettings(quadrature, other, kernel, scoreDimensions, noise, gram, gramFeatures);
    }

    /**
     * {@return these settings with another kernel}
     *
     * @param other the quantity whose error is kept small
     */
    public SelectionSettings withKernel(Kernel other) {
        return new SelectionSettings(quadrature, reweight, other, scoreDimensions, noise, gram, gramFeatures);
    }

    /**
     * {@return these settings with random features instead of the exact kernel}
     *
     * @param count m, the number of random features
     * @throws IllegalArgumentException if the count is odd or below 2
     */
    public SelectionSettings withFeatures(int count) {
        return new SelectionSettings(quadrature, reweight, kernel, scoreDimensions, noise, Gram.FEATURES, count);
    }

    QuadratureRule rule() {
        return reweight.rule(quadrature);
    }
}
