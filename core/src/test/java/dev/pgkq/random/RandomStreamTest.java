package dev.pgkq.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RandomStreamTest {
    private static final int DRAWS = 200_000;

    @Test
    void theSameKeyGivesTheSameNumbers() {
        RandomStream a = RandomStream.of(7, Purpose.ACTION, 3, 5);
        RandomStream b = RandomStream.of(7, Purpose.ACTION, 3, 5);
        for (int i = 0; i < 100; i++) {
            assertThat(a.nextLong()).isEqualTo(b.nextLong());
        }
    }

    @Test
    void everyPartOfTheKeyMatters() {
        Set<Long> first = new HashSet<>();
        int streams = 0;
        for (long seed = -2; seed <= 2; seed++) {
            for (Purpose purpose : Purpose.values()) {
                for (int i = 0; i < 20; i++) {
                    for (int j = 0; j < 20; j++) {
                        first.add(RandomStream.of(seed, purpose, i, j).nextLong());
                        streams++;
                    }
                }
            }
        }
        assertThat(first).hasSize(streams);
    }

    @Test
    void uniformsHaveTheRightMomentsAndStayInTheInterval() {
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < DRAWS; i++) {
            double u = random.nextDouble();
            assertThat(u).isGreaterThanOrEqualTo(0).isLessThan(1);
            sum += u;
            squares += u * u;
        }
        // five standard errors: σ/√n with σ² = 1/12 for u, 4/45 for u²
        assertThat(sum / DRAWS).isCloseTo(0.5, offset(5 * Math.sqrt(1.0 / 12 / DRAWS)));
        assertThat(squares / DRAWS).isCloseTo(1.0 / 3, offset(5 * Math.sqrt(4.0 / 45 / DRAWS)));
    }

    @Test
    void gaussiansHaveTheRightMomentsAcrossStreamsAndWithin() {
        double[] powers = new double[5];
        for (int i = 0; i < DRAWS / 4; i++) {
            RandomStream random = RandomStream.of(1, Purpose.CHECK, i);
            for (int j = 0; j < 4; j++) {
                double z = random.nextGaussian();
                double power = 1;
                for (int p = 0; p < powers.length; p++) {
                    powers[p] += power;
                    power *= z;
                }
            }
        }
        double[] moments = {1, 0, 1, 0, 3};
        double[] variances = {0, 1, 2, 15, 96};
        for (int p = 1; p < 5; p++) {
            assertThat(powers[p] / DRAWS).isCloseTo(moments[p], offset(5 * Math.sqrt(variances[p] / DRAWS)));
        }
    }

    @Test
    void neighbouringStreamsAreUncorrelated() {
        double sum = 0;
        for (int i = 0; i < DRAWS; i++) {
            sum += RandomStream.of(1, Purpose.CHECK, 0, i).nextGaussian()
                    * RandomStream.of(1, Purpose.CHECK, 0, i + 1).nextGaussian();
        }
        assertThat(sum / DRAWS).isCloseTo(0, offset(5 / Math.sqrt(DRAWS)));
    }

    @Test
    void shufflesAreUniform() {
        int[] firstPlace = new int[5];
        for (int i = 0; i < DRAWS; i++) {
            int[] values = {0, 1, 2, 3, 4};
            RandomStream.of(3, Purpose.CHECK, i).shuffle(values);
            firstPlace[values[0]]++;
        }
        double chiSquare = 0;
        for (int count : firstPlace) {
            double expected = DRAWS / 5.0;
            chiSquare += (count - expected) * (count - expected) / expected;
        }
        // 4 degrees of freedom: exceeded once in ten thousand
        assertThat(chiSquare).isLessThan(23.5);
    }

    @Test
    void subsetsAreUniform() {
        int[] counts = new int[1 << 5];
        for (int i = 0; i < DRAWS; i++) {
            int subset = 0;
            for (int index : RandomStream.of(4, Purpose.CHECK, i).subset(5, 2)) {
                subset |= 1 << index;
            }
            counts[subset]++;
        }
        double chiSquare = 0;
        for (int subset = 0; subset < counts.length; subset++) {
            double expected = Integer.bitCount(subset) == 2 ? DRAWS / 10.0 : 0;
            chiSquare += expected > 0 ? (counts[subset] - expected) * (counts[subset] - expected) / expected : 0;
            assertThat(counts[subset] > 0).isEqualTo(expected > 0);
        }
        // 9 degrees of freedom: exceeded once in ten thousand
        assertThat(chiSquare).isLessThan(33.7);
    }

    @Test
    void aSubsetIsInAscendingOrderAndNeverLargerThanTheSet() {
        RandomStream random = RandomStream.of(5, Purpose.CHECK);
        assertThat(random.subset(100, 50)).hasSize(50).isSorted().doesNotHaveDuplicates();
        assertThat(random.subset(3, 7)).containsExactly(0, 1, 2);
        assertThat(random.subset(3, 0)).isEmpty();
        assertThat(random.subset(0, 3)).isEmpty();
    }

    @Test
    void theNumbersOfAKeyNeverChange() {
        // From an independent implementation: a run must be repeatable with later versions of the library.
        RandomStream random = RandomStream.of(42, Purpose.RESET, 1, 2);
        assertThat(random.nextLong()).isEqualTo(RECORDED);
    }

    private static final long RECORDED = -3924677726334373187L;
}
