package dev.pgkq.rewards.people;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.rewards.people.PairDesign.Pair;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PairDesignTest {
    private static List<String> keys(int count, long seed) {
        Random random = new Random(seed);
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong()));
        }
        return keys;
    }

    private static long degree(List<Pair> pairs, String key) {
        return pairs.stream()
                .filter(pair -> pair.first().equals(key) || pair.second().equals(key))
                .count();
    }

    private static boolean connected(List<String> keys, List<Pair> pairs) {
        Set<String> reached = new HashSet<>(List.of(keys.getFirst()));
        for (int round = 0; round < keys.size(); round++) {
            for (Pair pair : pairs) {
                if (reached.contains(pair.first()) || reached.contains(pair.second())) {
                    reached.add(pair.first());
                    reached.add(pair.second());
                }
            }
        }
        return reached.containsAll(keys);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 8, 64})
    void everyEpisodeIsConnectedWithEveryOtherAlsoWithoutAnyOneComparison(int n) {
        List<String> keys = keys(n, n);
        List<Pair> pairs = PairDesign.of(keys, List.of());

        assertThat(connected(keys, pairs)).isTrue();
        for (Pair left : pairs) {
            List<Pair> others = new ArrayList<>(pairs);
            others.remove(left);
            assertThat(n == 2 || connected(keys, others)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8, 64})
    void aNewEpisodeHasAboutThreeComparisonsAndOneWithAnEarlierOne(int n) {
        List<String> keys = keys(n, n);
        List<String> earlier = keys(20, 99);
        List<Pair> pairs = PairDesign.of(keys, earlier);

        for (String key : keys) {
            assertThat(degree(pairs, key)).isEqualTo(Math.min(n, 3));
            assertThat(pairs.stream()
                            .filter(pair -> Set.of(pair.first(), pair.second()).contains(key)
                                    && (earlier.contains(pair.first()) || earlier.contains(pair.second()))))
                    .hasSize(1);
        }
        assertThat(pairs).hasSize(n == 1 ? 1 : n == 2 ? 3 : 2 * n);
    }

    @Test
    void theFirstIterationHasThreeForEachToo() {
        List<String> keys = keys(8, 5);

        assertThat(keys)
                .allSatisfy(key ->
                        assertThat(degree(PairDesign.of(keys, List.of()), key)).isEqualTo(3));
    }

    @Test
    void oneEpisodeAloneHasNobodyToBeComparedWith() {
        assertThat(PairDesign.of(keys(1, 1), List.of())).isEmpty();
        assertThat(PairDesign.of(List.of(), List.of())).isEmpty();
    }

    @Test
    void theSameEpisodesMakeTheSamePairsHoweverTheyCome() {
        List<String> keys = keys(7, 7);

        assertThat(PairDesign.of(keys.reversed(), List.of("x", "y"))).isEqualTo(PairDesign.of(keys, List.of("y", "x")));
    }

    /** Binomial with probability a half: within five standard deviations. */
    @Test
    void whichIsShownFirstHasNothingToDoWithWhichIsNew() {
        int count = 400;
        List<String> keys = keys(count, 11);
        List<String> earlier = keys(count, 12);

        long first = PairDesign.of(keys, earlier).stream()
                .filter(pair -> earlier.contains(pair.first()) || earlier.contains(pair.second()))
                .filter(pair -> keys.contains(pair.first()))
                .count();
        assertThat(Math.abs(first - count / 2.0)).isLessThan(5 * Math.sqrt(count / 4.0));
    }
}
