package dev.pgkq.gradient;

/**
 * What a policy step maximises, per sample: a function of ℓ = log π(a|s) − log π_old(a|s) and the coefficient A.
 */
public sealed interface Surrogate {
    double value(double logRatio, double coefficient);

    /** ∂ value/∂ℓ: what the score ∇ log π(a|s) is multiplied with. */
    double slope(double logRatio, double coefficient);

    /** Whether a sample of this kind no longer pulls. */
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
     * PPO: min(q A, clip(q, 1 − ε, 1 + ε) A), q = exp ℓ. Where the clipped branch is the smaller one, q no longer
     * matters and the slope is 0.
     */
    record Clipped(double epsilon, double logLow, double logHigh) implements Surrogate {
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
