package dev.pgkq.rewards.advise;

import dev.pgkq.advise.Items;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What a page shows of the items of a round besides their scores. It follows from their features, so it never changes.
 *
 * @param ids of all items
 * @param lengths number of steps of each item
 * @param map where items are drawn; empty if there are too many
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ItemSketch(List<String> ids, int[] lengths, Optional<ItemMap> map) {
    static ItemSketch of(StoredItems stored) {
        Items items = stored.items();
        return new ItemSketch(
                stored.ids(),
                IntStream.range(0, items.size()).map(items::length).toArray(),
                ItemMap.of(items));
    }
}
