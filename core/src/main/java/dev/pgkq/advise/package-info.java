/**
 * The choice and the reward model of {@code kq-bayes} without a policy: which of many items to score, and what the rewards of all of
 * them are believed to be afterwards.
 */
@NullMarked
package dev.pgkq.advise;

import org.jspecify.annotations.NullMarked;
