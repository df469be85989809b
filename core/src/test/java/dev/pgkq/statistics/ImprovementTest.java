package dev.pgkq.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ImprovementTest {
    /** The textbook race T H H H H H T T T T T H: the tortoises' U is 11 of 36 pairs. */
    @Test
    void theTextbookRaceOfTortoisesAndHares() {
        double[] tortoises = {12, 6, 5, 4, 3, 2};
        double[] hares = {11, 10, 9, 8, 7, 1};
        assertThat(Improvement.probability(tortoises, hares)).isCloseTo(11 / 36.0, within(1e-15));
        assertThat(Improvement.probability(hares, tortoises)).isCloseTo(25 / 36.0, within(1e-15));
    }

    @Test
    void tiesCountHalf() {
        assertThat(Improvement.probability(new double[] {1, 2}, new double[] {2, 3}))
                .isEqualTo(0.5 / 4);
        assertThat(Improvement.probability(new double[] {5}, new double[] {5})).isEqualTo(0.5);
    }

    /** Computes U independently, from the sum of ranks. */
    @Test
    void itAgreesWithTheSumOfRanks() {
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        for (int trial = 0; trial < 50; trial++) {
            double[] x = draw(random, 7);
            double[] y = draw(random, 5);
            double[] all =
                    DoubleStream.concat(Arrays.stream(x), Arrays.stream(y)).toArray();
            double rankSum = Arrays.stream(x).map(value -> midrank(all, value)).sum();
            double u = rankSum - 7 * 8 / 2.0;
            assertThat(Improvement.probability(x, y)).isCloseTo(u / 35, within(1e-12));
        }
    }

    @Test
    void tasksCountEquallyForAnyNumberOfRuns() {
        List<double[]> x = List.of(new double[] {1, 1, 1, 1}, new double[] {9});
        List<double[]> y = List.of(new double[] {2, 2}, new double[] {3, 4});
        assertThat(Improvement.probability(x, y)).isEqualTo(0.5);
    }

    private static double[] draw(RandomStream random, int count) {
        return DoubleStream.generate(() -> random.nextInt(6)).limit(count).toArray();
    }

    private static double midrank(double[] all, double value) {
        long less = Arrays.stream(all).filter(other -> other < value).count();
        long same = Arrays.stream(all).filter(other -> other == value).count();
        return less + (same + 1) / 2.0;
    }
}
