package dev.pgkq.rewards.advise;

import dev.pgkq.rewards.desk.Budget;
import java.math.BigDecimal;
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
 * @param left how many more calls the budget allows; {@code Long.MAX_VALUE} if there is no limit
 * @param cost what scores have cost, as far as that was said
 * @param budget what may be spent
 */
public record Status(
        Identity identity,
        String judge,
        int width,
        int rounds,
        List<Integer> open,
        long lessons,
        long spent,
        long left,
        BigDecimal cost,
        Budget budget) {}
