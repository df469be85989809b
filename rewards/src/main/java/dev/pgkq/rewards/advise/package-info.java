/**
 * An adviser that lasts: rounds of questions and scores on disk, with a ledger that never loses a score and a budget that is never
 * exceeded. {@link dev.pgkq.rewards.advise.DurableAdviser} is the entry point.
 *
 * <p>What to choose and what to believe is decided by {@link dev.pgkq.advise.Adviser}. This package stores what it was asked and told,
 * and makes a new one from that. It knows nothing of HTTP.
 */
@NullMarked
package dev.pgkq.rewards.advise;

import org.jspecify.annotations.NullMarked;
