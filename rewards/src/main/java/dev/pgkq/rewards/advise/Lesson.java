package dev.pgkq.rewards.advise;

import dev.pgkq.advise.Told;
import java.util.List;

/**
 * Scores that a model learns from together. Models learn in the order of the numbers, so that one that is made again has the same bits.
 *
 * @param number 1, 2, … over all judges
 * @param judge whose scores they are
 * @param round whose items they are of
 * @param closes whether they are those that the round asked for; the model then also learns how well it had predicted them
 * @param scores the scores, by places in the round
 */
record Lesson(long number, String judge, int round, boolean closes, List<Told> scores) {}
