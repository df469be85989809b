package dev.pgkq.gradient;

/**
 * The objective of a policy step per sample, as a function of ℓ = log π(a|s) − log π_old(a|s) and the coefficient A.
 */
public sealed interface Surrogate {
    /**
     * {@return the objective}
     *
     * @param logRatio ℓ
     * @param coefficient A
     */
    double value(double logRatio, double coefficient);

    /**
     * {@return ∂ value/∂ℓ, the factor of the score ∇ log π(a|s) in the gradient}
     *
     * @param logRatio ℓ
     * @param coefficient A
     */
    double slope(double logRatio, double coefficient);

    /**
     * {@return whether the sample is clipped, so that its gradient is 0}
     *
     * @param logRatio ℓ
     * @param coefficient A
     */
    boolean clipped(double logRatio, double coefficient);

    /** Vanilla policy gradient: A log π. */
    record LogLikelihood() implements Surrogate {
        @Override
        public double value(double logRatio, double coefficient) {
            return coefficient * logRatio;
        }

        @Override
        public double slope(double logRatio, double coefficient) {
            return coefficient;
        }

        @Override
        public boolean clipped(double logRatio, double coefficient) {
            return false;
        }
    }

    /**
     * PPO: min(q A, clip(q, 1 − ε, 1 + ε) A), q = exp ℓ. Where the clipped branch is smaller, the value does not depend on
     * q and the slope is 0.
     *
     * @param epsilon ε
     * @param logLow log(1 − ε)
     * @param logHigh log(1 + ε)
     */
    record Clipped(double epsilon, double logLow, double logHigh) implements Surrogate {
        /**
         * Creates the objective for ε.
         *
         * @param epsilon ε, between 0 and 1
         */
        public Clipped(double epsilon) {
            this(epsilon, Math.log1p(-epsilon), Math.log1p(epsilon));
        }

        @Override
        public double value(double logRatio, double coefficient) {
            if (clipped(logRatio, coefficient)) {
                return (coefficient > 0 ? 1 + epsilon : 1 - epsilon) * coefficient;
            }
            return Math.exp(logRatio) * coefficient;
        }

        @Override
        public double slope(double logRatio, double coefficient) {
            return clipped(logRatio, coefficient) ? 0 : Math.exp(logRatio) * coefficient;
        }

        @Override
        public boolean clipped(double logRatio, double coefficient) {
            return coefficient > 0 ? logRatio > logHigh : coefficient < 0 && logRatio < logLow;
        }
    }
}
