package dev.pgkq.rewards.advise;

import java.util.List;

/**
 * The state of an adviser.
 *
 * @param identity what does not change
 * @param judge who scores unless a question says otherwise
 * @param width number of features of a step; 0 before the first round
 * @param rounds number of rounds
 * @param open numbers of the rounds whose scores are missing
 * @param lessons number of times that models have learned
 * @param spent number of calls that count against the budget
 * @param maxEvaluations the budget; {@code Long.MAX_VALUE} if there is no limit
 */
public record Status(
        Identity identity,
        String judge,
        int width,
        int rounds,
        List<Integer> open,
        long lessons,
        long spent,
        long maxEvaluations) {
    /** What the budget allows beyond what is spent. */
    public long left() {
        return maxEvaluations == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, maxEvaluations - spent);
    }
}
