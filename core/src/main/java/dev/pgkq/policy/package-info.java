/** Policies for continuous and discrete actions, and random projections of their scores. */
@NullMarked
package dev.pgkq.policy;

import org.jspecify.annotations.NullMarked;
