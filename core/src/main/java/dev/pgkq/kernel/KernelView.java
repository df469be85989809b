package dev.pgkq.kernel;

import dev.pgkq.quadrature.GramMatrix;

/**
 * What a kernel says of a batch.
 *
 * @param gram K between the episodes, as the quadrature sees it
 * @param noise what noise of variance 1 in everything an oracle tells adds to K of an episode with itself
 * @param credits v, which K is made with
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record KernelView(GramMatrix gram, double[] noise, StepCredits credits) {}
