package dev.pgkq.rewards.people;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Chooses the pairs to compare, about three per new episode.
 *
 * <p>The new episodes are arranged in a ring, in an order unrelated to how they were sampled, and neighbours are compared. So all are
 * connected, even if any single comparison is missing. If there are episodes that were rated before, each new one is also compared
 * with one of them, which ties the new scores to the old ones. Otherwise opposite positions of the ring are compared.
 *
 * <p>The order is that of the episodes' keys, which are effectively random. So the same episodes always give the same pairs, and
 * which of two is shown first has no meaning.
 */
final class PairDesign {
    private PairDesign() {}

    /** The keys of two episodes, in the order in which they are shown. */
    record Pair(String first, String second) {
        /** The key of the pair. */
        String key() {
            return first + "-" + second;
        }
    }

    /**
     * Chooses pairs.
     *
     * @param fresh keys of the new episodes
     * @param judged keys of episodes that were rated before
     */
    static List<Pair> of(List<String> fresh, List<String> judged) {
        List<String> ring = new ArrayList<>(new LinkedHashSet<>(fresh));
        ring.sort(Comparator.naturalOrder());
        Set<Pair> pairs = new LinkedHashSet<>();
        int n = ring.size();
        for (int i = 0; i < n && n > 1; i++) {
            // Two episodes make one pair; the ring would contain it twice.
            if (n > 2 || i == 0) {
                pairs.add(shown(ring.get(i), ring.get((i + 1) % n)));
            }
        }
        if (judged.isEmpty()) {
            for (int i = 0; i < n / 2 && n > 3; i++) {
                pairs.add(shown(ring.get(i), ring.get(i + n / 2)));
            }
        } else {
            List<String> others = new ArrayList<>(new LinkedHashSet<>(judged));
            others.sort(Comparator.comparing(PairDesign::scrambled));
            for (int i = 0; i < n; i++) {
                pairs.add(shown(ring.get(i), others.get(i % others.size())));
            }
        }
        return List.copyOf(pairs);
    }

    /** Reverses about half of the pairs. */
    private static Pair shown(String one, String other) {
        return ((one.hashCode() ^ other.hashCode()) & 1) == 0 ? new Pair(one, other) : new Pair(other, one);
    }

    /** An order other than that of the ring; otherwise the first would always be compared with the first. */
    private static String scrambled(String key) {
        return new StringBuilder(key).reverse().toString();
    }
}
