package dev.pgkq.rewards.advise;

import dev.pgkq.reward.Grain;

/**
 * What an adviser is from the start to the end.
 *
 * @param run its name in the ledger
 * @param grain whether an item has one score, or each of its steps has one
 * @param seed determines the features of the model and random numbers
 */
public record Identity(String run, Grain grain, long seed) {}
