package dev.pgkq.rewards.people;

/**
 * An episode whose reward is wanted.
 *
 * @param key what it is known by, the same however often it is asked for
 * @param iteration of the run
 * @param episode its place in the batch
 */
public record Question(String key, int iteration, int episode) {}
