package dev.pgkq.kernel;

import dev.pgkq.quadrature.GramMatrix;

/**
 * The kernel between the episodes of a batch.
 *
 * @param gram K, as the quadrature sees it
 * @param noise of each episode: the variance that noise of variance 1 in every number of an oracle adds to K of the
 *     episode with itself
 * @param credits v, with which K was computed; if the kernel is centred, around the centre of this batch
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record KernelView(GramMatrix gram, double[] noise, StepCredits credits) {}
