/**
 * From rewards to a policy step. An {@link dev.pgkq.gradient.AdvantageEstimator} computes weighted samples from episodes,
 * weights and rewards, and a {@link dev.pgkq.gradient.PolicyGradient} takes a step with them. Policy steps know nothing of
 * kernels or quadrature.
 */
@NullMarked
package dev.pgkq.gradient;

import org.jspecify.annotations.NullMarked;
