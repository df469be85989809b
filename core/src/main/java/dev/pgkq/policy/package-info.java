/** The stochastic policy and the value function: networks with a meaning. */
@NullMarked
package dev.pgkq.policy;

import org.jspecify.annotations.NullMarked;
