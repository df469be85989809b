package dev.pgkq.rewards.advise;

import dev.pgkq.advise.Estimates;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A round with what is known of its items.
 *
 * @param summary what lists show
 * @param ids of all items
 * @param lengths number of steps of each item
 * @param chosen places of the items to score
 * @param weights their weights in the mean
 * @param predicted what was expected of each item before any score of the round was known
 * @param abandoned places of the items that were given up
 * @param scores those that are known, by place; of several steps, their sum
 * @param estimates of all items; empty while scores are missing
 * @param map where items are drawn; empty if there are too many
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RoundView(
        RoundSummary summary,
        List<String> ids,
        int[] lengths,
        int[] chosen,
        double[] weights,
        double[] predicted,
        int[] abandoned,
        Map<Integer, Double> scores,
        Optional<Estimates> estimates,
        Optional<ItemMap> map) {}
