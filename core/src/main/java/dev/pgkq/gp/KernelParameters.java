package dev.pgkq.gp;

import dev.pgkq.nn.Mlp;

/**
 * The parameters of a {@link DeepKernel} in one array: those of the network f, then λ, then σ.
 *
 * @param network f
 * @param values the live values
 */
@SuppressWarnings("ArrayRecordComponent") // shared on purpose, never compared
record KernelParameters(Mlp network, float[] values) {
    /** What the variance of the noise is at least. */
    private static final double LEAST_NOISE = 1e-5;

    /** λ and σ. */
    private static final int SCALARS = 2;

    static KernelParameters of(Mlp network) {
        return new KernelParameters(network, new float[network.parameterCount() + SCALARS]);
    }

    int scaleIndex() {
        return network.parameterCount();
    }

    int noiseIndex() {
        return network.parameterCount() + 1;
    }

    /** λ. */
    double scale() {
        return values[scaleIndex()];
    }

    /** σ. */
    double noise() {
        return values[noiseIndex()];
    }

    /** 1e-5 + e^σ. */
    double noiseVariance() {
        return LEAST_NOISE + Math.exp(noise());
    }
}
