package dev.pgkq.gradient;

import dev.pgkq.nn.Adam;

/** Takes a policy step from weighted samples. */
public interface PolicyGradient {
    PolicyStep improve(AdvantageBatch batch, int iteration);

    Adam optimizer();

    /**
     * What a step did.
     *
     * @param objective the surrogate summed over the samples of the last epoch
     * @param divergence mean of log π_old − log π over the samples of the last epoch: an estimate of KL(π_old, π)
     * @param clipFraction share of samples in the last epoch that were clipped
     * @param gradientNorm mean norm of the last epoch's gradients, before they were scaled down
     * @param entropy of the policy after the step
     */
    record PolicyStep(double objective, double divergence, double clipFraction, double gradientNorm, double entropy) {}
}
