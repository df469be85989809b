package dev.pgkq.rewards.advise;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What follows from the items of rounds that somebody looks at, so that views of a round neither read its features nor draw its map
 * again. Those that were not needed for the longest time are forgotten. Not more than one is made at a time, since a large map takes
 * seconds. Thread-safe.
 */
public final class ItemSketches {
    /** Of all sketches together; an item has an identifier of perhaps a hundred bytes. */
    static final int MOST_ITEMS = 100_000;

    private final Map<Key, ItemSketch> sketches = new LinkedHashMap<>(16, 0.75f, true);
    private final ReentrantLock making = new ReentrantLock();
    private int items;

    /**
     * Whose items.
     *
     * @param rounds the database of rounds
     * @param round number of the round
     * @param hash of the items; another round may have had the number
     */
    record Key(Path rounds, int round, String hash) {}

    /** Makes a sketch. */
    @FunctionalInterface
    interface Making {
        ItemSketch make() throws SQLException;
    }

    /** The sketch of some items, which is made if it is not known. */
    ItemSketch get(Key key, Making sketch) throws SQLException {
        Optional<ItemSketch> known = find(key);
        if (known.isPresent()) {
            return known.get();
        }
        making.lock();
        try {
            Optional<ItemSketch> meanwhile = find(key);
            return meanwhile.isPresent() ? meanwhile.get() : add(key, sketch.make());
        } finally {
            making.unlock();
        }
    }

    private synchronized Optional<ItemSketch> find(Key key) {
        return Optional.ofNullable(sketches.get(key));
    }

    private synchronized ItemSketch add(Key key, ItemSketch sketch) {
        sketches.put(key, sketch);
        items += sketch.ids().size();
        while (items > MOST_ITEMS && sketches.size() > 1) {
            Iterator<ItemSketch> oldest = sketches.values().iterator();
            items -= oldest.next().ids().size();
            oldest.remove();
        }
        return sketch;
    }
}
