/** The Gaussian policy, and random projections of its scores. */
@NullMarked
package dev.pgkq.policy;

import org.jspecify.annotations.NullMarked;
