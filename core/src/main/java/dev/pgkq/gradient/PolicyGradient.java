package dev.pgkq.gradient;

import dev.pgkq.nn.Adam;

/** Takes a policy step from weighted samples. */
public interface PolicyGradient {
    PolicyStep improve(AdvantageBatch batch, int iteration);

    Adam optimizer();

    /**
     * What a step did, measured on all samples after its last update.
     *
     * @param objective the surrogate, summed over the samples
     * @param divergence mean of log π_old − log π over the samples: an estimate of KL(π_old, π)
     * @param clipFraction share of samples that are clipped now
     * @param gradientNorm mean norm of the last epoch's gradients, before they were scaled down
     * @param entropy of the policy after the step
     */
    record PolicyStep(double objective, double divergence, double clipFraction, double gradientNorm, double entropy) {}
}
