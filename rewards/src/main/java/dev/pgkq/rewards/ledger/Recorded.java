package dev.pgkq.rewards.ledger;

import dev.pgkq.rewards.request.Reply;

/**
 * What became of an answer that was recorded.
 *
 * @param answer the answer that counts: the first one that was recorded
 * @param own whether it counts as an answer that the run has paid for; otherwise the ledger counts it for another run
 */
public record Recorded(Reply answer, boolean own) {}
