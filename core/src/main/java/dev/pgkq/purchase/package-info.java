/**
 * Buying rewards: asks a reward source for the episodes of a selection, handles those whose rewards never arrive, and
 * hands the result to the later stages as a {@link dev.pgkq.purchase.PaidBatch}.
 */
@NullMarked
package dev.pgkq.purchase;

import org.jspecify.annotations.NullMarked;
