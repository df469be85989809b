package dev.pgkq.rewards.advise;

import dev.pgkq.advise.Items;
import java.util.List;

/**
 * The items of a round with their identifiers.
 *
 * @param items the items
 * @param ids one for each
 * @param named whether the caller gave them; otherwise they follow from the features
 */
record StoredItems(Items items, List<String> ids, boolean named) {}
