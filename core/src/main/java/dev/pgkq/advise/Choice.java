package dev.pgkq.advise;

/**
 * Which items of a round to score. All of it is known before any score is; {@link Adviser#tell} needs nothing else, so a choice can be
 * stored and made again from its parts.
 *
 * <p>Errors are √E, with E the expected squared error of an item's estimate, averaged over all items, plus that of the mean of all
 * estimates; with score projections, E is that of the mean of estimates times projections. They are in the unit of scores, and NaN
 * while nothing is known about that.
 *
 * @param items all items of the round
 * @param round 1, 2, …
 * @param indices places of the items to score, in the order in which they were chosen
 * @param weights of these items: with them the weighted mean of their scores is expected to be nearest to the mean score of all
 * @param predicted the expected reward of every item, before its score is known; summed over its steps
 * @param errorBefore the expected error if none was scored
 * @param expectedError the expected error once these are scored
 * @param randomError the expected error if as many were drawn at random
 * @param variances what the model said of the error of each chosen item; empty if it could say nothing
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Choice(
        Items items,
        int round,
        int[] indices,
        double[] weights,
        double[] predicted,
        double errorBefore,
        double expectedError,
        double randomError,
        double[] variances) {
    /** {@return n, the number of items to score} */
    public int size() {
        return indices.length;
    }
}
