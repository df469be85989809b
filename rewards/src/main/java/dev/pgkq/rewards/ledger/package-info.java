/**
 * The ledger: every reward that was ever asked for, what became of it and what it cost, so that none is lost and none is paid
 * for twice. It knows episodes and rewards, and no oracle: who asks, how often and for how long is the caller's affair.
 */
@NullMarked
package dev.pgkq.rewards.ledger;

import org.jspecify.annotations.NullMarked;
