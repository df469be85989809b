package dev.pgkq.gradient;

import dev.pgkq.nn.Adam;

/** Takes a policy step from weighted samples. */
public interface PolicyGradient {
    /**
     * Takes a policy step.
     *
     * @param batch the weighted samples
     * @param iteration 1, 2, …; keys the order of the samples
     * @return measurements of the step
     */
    PolicyStep improve(AdvantageBatch batch, int iteration);

    /** {@return the optimizer, whose state is part of a checkpoint} */
    Adam optimizer();

    /**
     * The result of a policy step, measured on all samples after the last update.
     *
     * @param objective the surrogate, summed over the samples
     * @param divergence mean of log π_old − log π over the samples: an estimate of KL(π_old, π)
     * @param clipFraction share of samples that are clipped
     * @param gradientNorm mean norm of the last epoch's gradients, before scaling
     * @param entropy entropy of the policy after the step
     */
    record PolicyStep(double objective, double divergence, double clipFraction, double gradientNorm, double entropy) {}
}
