package dev.pgkq.rewards.advise;

import java.util.List;
import java.util.Map;

/**
 * Which items of a round to score.
 *
 * @param round its number
 * @param judge who scores it
 * @param source the round whose items are scored once more, or 0
 * @param size number of items
 * @param indices places of the items to score
 * @param ids their identifiers
 * @param weights their weights in the mean
 * @param missing identifiers of those that have no score yet
 * @param abandoned identifiers of items that were given up
 * @param open whether scores are missing
 * @param resumed whether this round had been handed out before
 * @param inDoubt identifiers of items that may have been scored already; handing them out once more counts as another call
 * @param owned scores that were known when the round was asked for, by identifier; one number, or one for each step
 * @param errorBefore expected error without any score; NaN if not known
 * @param expectedError expected error with all scores; NaN if not known
 * @param randomError expected error with as many scores of random items; NaN if not known
 * @param spent number of calls that count against the budget, of all rounds
 * @param left what the budget allows beyond that; {@code Long.MAX_VALUE} if there is no limit
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Advice(
        int round,
        String judge,
        int source,
        int size,
        int[] indices,
        List<String> ids,
        double[] weights,
        List<String> missing,
        List<String> abandoned,
        boolean open,
        boolean resumed,
        List<String> inDoubt,
        Map<String, double[]> owned,
        double errorBefore,
        double expectedError,
        double randomError,
        long spent,
        long left) {}
