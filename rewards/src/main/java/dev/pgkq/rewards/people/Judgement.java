package dev.pgkq.rewards.people;

/**
 * The reward of an episode according to its raters.
 *
 * @param value the reward
 * @param error standard deviation of the ratings, or standard error of the score; NaN if there is only one rating
 * @param note a summary of the ratings
 */
public record Judgement(double value, double error, String note) {}
