package dev.pgkq.train;

import dev.pgkq.quadrature.Quadrature;
import dev.pgkq.quadrature.QuadratureRule;
import dev.pgkq.quadrature.Reweighted;
import dev.pgkq.text.UserException;
import java.io.Serializable;

/**
 * How a kernel chooses episodes.
 *
 * @param quadrature the rule
 * @param reweight what becomes of its weights
 * @param kernel what K measures
 * @param scoreDimensions d, to which scores are projected; 0 takes them whole, for small networks
 * @param noise whether the noise of the kernel between steps counts
 * @param gram how K is computed
 * @param gramFeatures m, feature values where it is computed with random features
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

    /** What becomes of the weights that a rule gives its points. */
    public enum Reweight {
        NONE,
        /** The best ones that are not negative and sum to 1. */
        SIMPLEX;

        /** The rule of that name, with these weights. */
        public QuadratureRule rule(Quadrature quadrature) {
            return this == SIMPLEX ? new Reweighted(quadrature.rule()) : quadrature.rule();
        }
    }

    /** Whether the noise of the kernel between steps is in the K that quadrature sees. */
    public enum Noise {
        INCLUDE,
        EXCLUDE
    }

    /** Whose error a small wce stands for. */
    public enum Kernel {
        /** The sum of advantages, as in the paper. */
        SCALAR,
        /** The policy gradient. */
        SCORE
    }

    /** How sums over all pairs of steps are computed. */
    public enum Gram {
        EXACT,
        /** Orthogonal random features: an approximation whose cost is linear in the number of steps. */
        FEATURES
    }

    public SelectionSettings {
        if (scoreDimensions < 0) {
            throw new UserException("score-dimensions must not be negative, got " + scoreDimensions);
        }
        if (gramFeatures < 2 || gramFeatures % 2 != 0) {
            throw new UserException("gram-features must be even and at least 2, got " + gramFeatures);
        }
    }

    QuadratureRule rule() {
        return reweight.rule(quadrature);
    }
}
