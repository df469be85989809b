/** Rewards and the oracles that evaluate them. Nothing here depends on batches, selections or training. */
@NullMarked
package dev.pgkq.reward;

import org.jspecify.annotations.NullMarked;
