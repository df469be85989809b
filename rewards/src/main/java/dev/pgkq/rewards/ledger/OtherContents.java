package dev.pgkq.rewards.ledger;

/**
 * Answers of an oracle that had other contents: another script, for instance.
 *
 * @param answers number of answers of the oracle
 * @param contents the newest contents that gave some of them
 */
public record OtherContents(long answers, String contents) {}
