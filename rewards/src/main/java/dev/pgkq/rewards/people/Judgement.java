package dev.pgkq.rewards.people;

/**
 * What people made of an episode.
 *
 * @param value its reward
 * @param error how sure that is: the standard deviation of the ratings, or the standard error of the score; NaN for one rating
 * @param note the same in words
 */
public record Judgement(double value, double error, String note) {}
