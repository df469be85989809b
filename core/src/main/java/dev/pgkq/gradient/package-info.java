/**
 * From rewards to a policy step. An {@link dev.pgkq.gradient.AdvantageEstimator} turns episodes, weights and rewards
 * into one list of weighted samples; a {@link dev.pgkq.gradient.PolicyGradient} takes a step with it. Neither side hears
 * of kernels or quadrature.
 */
@NullMarked
package dev.pgkq.gradient;

import org.jspecify.annotations.NullMarked;
