/** Rewards: values that only an oracle makes. */
@NullMarked
package dev.pgkq.reward;

import org.jspecify.annotations.NullMarked;
