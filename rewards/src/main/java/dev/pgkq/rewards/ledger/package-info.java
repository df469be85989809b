/**
 * The ledger: every reward that was ever requested, its state, answer and cost, so that no answer is lost and none is paid for
 * twice. {@link dev.pgkq.rewards.ledger.Ledger} is the entry point.
 *
 * <p>The ledger knows episodes, requests and replies. It does not know evaluators: who is asked, how often and for how long is
 * decided by the caller. Storage, queries and summaries of ledgers belong here.
 */
@NullMarked
package dev.pgkq.rewards.ledger;

import org.jspecify.annotations.NullMarked;
