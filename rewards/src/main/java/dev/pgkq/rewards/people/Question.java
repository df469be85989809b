package dev.pgkq.rewards.people;

/**
 * An episode whose reward is requested.
 *
 * @param key identifies the evaluation; the same for every attempt
 * @param iteration iteration of the run
 * @param episode index of the episode in its batch
 */
public record Question(String key, int iteration, int episode) {}
