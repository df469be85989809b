package dev.pgkq.rewards.advise;

/**
 * A question that was answered.
 *
 * @param name which no other question has
 * @param round the round that was the answer
 * @param resumed whether that round had been handed out before
 */
record Request(String name, int round, boolean resumed) {}
