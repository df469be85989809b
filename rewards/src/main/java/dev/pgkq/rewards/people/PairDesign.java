package dev.pgkq.rewards.people;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which pairs are compared: about three for every new episode.
 *
 * <p>The new ones are laid out in a ring, in an order that has nothing to do with how they came, and neighbours are compared. So
 * every one is connected with every other, also if any single comparison were missing. Each is compared with an episode that was
 * judged before, too, where there are some: that ties the new scores to the old ones. Where there are none, opposite places of
 * the ring are compared instead.
 *
 * <p>The order comes from the keys of the episodes, which are as good as random, so the same episodes always make the same pairs,
 * and which of two is shown first means nothing.
 */
final class PairDesign {
    private PairDesign() {}

    /** Two episodes by their keys, the one to show first first. */
    record Pair(String first, String second) {
        /** What the pair is known by. */
        String key() {
            return first + "-" + second;
        }
    }

    /**
     * @param fresh keys of the new ones
     * @param judged keys of those that were judged before, of which some will serve
     */
    static List<Pair> of(List<String> fresh, List<String> judged) {
        List<String> ring = new ArrayList<>(new LinkedHashSet<>(fresh));
        ring.sort(Comparator.naturalOrder());
        Set<Pair> pairs = new LinkedHashSet<>();
        int n = ring.size();
        for (int i = 0; i < n && n > 1; i++) {
            // With two there is one pair, and going round would make it twice.
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

    /** Half of the pairs the other way round. */
    private static Pair shown(String one, String other) {
        return ((one.hashCode() ^ other.hashCode()) & 1) == 0 ? new Pair(one, other) : new Pair(other, one);
    }

    /** Another order than that of the ring, or the first would always meet the first. */
    private static String scrambled(String key) {
        return new StringBuilder(key).reverse().toString();
    }
}
