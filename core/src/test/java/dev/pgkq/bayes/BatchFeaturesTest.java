package dev.pgkq.bayes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchFeaturesTest {
    private static final int INPUTS = 3;
    private static final int COUNT = 7;
    private static final int WIDTH = COUNT + INPUTS + 1;

    /** One episode has more rows than a chunk, and one has none. */
    private static final int[] STARTS = {0, 4, 4, 700, 709};

    private final Workers workers = new Workers(2);
    private final float[] steps = steps(STARTS[4], 1);
    private final RandomFeatures features = new RandomFeatures(INPUTS, 0, COUNT, 1, workers);

    @AfterEach
    void stop() {
        workers.close();
    }

    private static float[] steps(int rows, int seed) {
        RandomStream random = RandomStream.of(seed, Purpose.CHECK);
        float[] steps = new float[rows * INPUTS];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = (float) random.nextGaussian();
        }
        return steps;
    }

    private BatchFeatures of(int most) {
        features.fix(steps);
        BatchFeatures batch = new BatchFeatures(features, 2, most);
        batch.turnTo(STARTS, steps);
        return batch;
    }

    private static float[] episode(BatchFeatures batch, int worker, int episode) {
        BatchFeatures.Rows rows = batch.of(worker, episode);
        return Arrays.copyOfRange(rows.values(), rows.from(), rows.from() + batch.length(episode) * WIDTH);
    }

    /** A limit of 10 values is too small to keep anything. */
    @ParameterizedTest
    @ValueSource(ints = {10, 1 << 20})
    void episodesHaveTheBitsOfTheWholeBatch(int most) {
        BatchFeatures batch = of(most);
        float[] all = features.of(STARTS, steps);
        for (int again = 0; again < 2; again++) {
            for (int e : new int[] {3, 0, 2, 1}) {
                assertThat(episode(batch, e % 2, e))
                        .isEqualTo(Arrays.copyOfRange(all, STARTS[e] * WIDTH, STARTS[e + 1] * WIDTH));
            }
        }
        assertThat(batch.longest()).isEqualTo(696);
    }

    /** 709 rows are two chunks that do not end where episodes do. A limit of 10 values is too small to keep anything. */
    @ParameterizedTest
    @ValueSource(ints = {10, 1 << 20})
    void allAtOnceTheyAreTheSameButForRounding(int most) {
        BatchFeatures batch = of(most);
        float[] all = features.of(STARTS, steps);
        batch.computeAll(workers);
        for (int e = 0; e < 4; e++) {
            float[] own = episode(batch, 0, e);
            assertThat(own).hasSize((STARTS[e + 1] - STARTS[e]) * WIDTH);
            for (int i = 0; i < own.length; i++) {
                assertThat(own[i]).isCloseTo(all[STARTS[e] * WIDTH + i], within(1e-5f));
            }
        }
        try (Workers one = new Workers(1)) {
            BatchFeatures again = of(most);
            again.computeAll(one);
            assertThat(episode(again, 0, 2)).isEqualTo(episode(batch, 0, 2));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 1 << 20})
    void anotherBatchReplacesTheFirst(int most) {
        BatchFeatures batch = of(most);
        episode(batch, 0, 0);
        float[] others = steps(5, 2);
        batch.turnTo(new int[] {0, 2, 5}, others);
        float[] all = features.of(new int[] {0, 2, 5}, others);
        assertThat(episode(batch, 0, 0)).isEqualTo(Arrays.copyOfRange(all, 0, 2 * WIDTH));
        assertThat(episode(batch, 0, 1)).isEqualTo(Arrays.copyOfRange(all, 2 * WIDTH, 5 * WIDTH));
    }

    /** Whoever asks twice gets the same array, unless it would be too large. */
    @Test
    void onlyWhatFitsIsKept() {
        BatchFeatures keeps = of(STARTS[4] * WIDTH);
        assertThat(keeps.of(0, 0).values())
                .hasSize(STARTS[4] * WIDTH)
                .isSameAs(keeps.of(1, 3).values());
        BatchFeatures small = of(STARTS[4] * WIDTH - 1);
        assertThat(small.of(0, 0).values()).hasSize(4 * WIDTH);
    }

    @Test
    void sumsAreDiscounted() {
        BatchFeatures batch = of(10);
        float[] all = features.of(STARTS, steps);
        double[] sums = new double[2 * WIDTH];
        Arrays.fill(sums, 5);
        batch.addDiscounted(1, 0, 0.5, sums, WIDTH);
        for (int j = 0; j < WIDTH; j++) {
            double exact = 5.0 + all[j] + 0.5 * all[WIDTH + j] + 0.25 * all[2 * WIDTH + j] + 0.125 * all[3 * WIDTH + j];
            assertThat(sums[WIDTH + j]).isCloseTo(exact, within(1e-12));
            assertThat(sums[j]).isEqualTo(5);
        }
    }

    /** Episodes of 4, 0, 696 and 9 steps: groups of four rows, and rows that are left. */
    @Test
    void stepsAreWeighed() {
        BatchFeatures batch = of(1 << 20);
        float[] all = features.of(STARTS, steps);
        double[] weights = {1, -2, 3, 0.5, 0, 7, -1, 4, 0.3, -5, 2};
        double[] weighed = new double[STARTS[4]];
        for (int e = 0; e < 4; e++) {
            batch.weigh(0, e, weights, 2, weighed, STARTS[e]);
        }
        for (int i = 0; i < weighed.length; i++) {
            double exact = 0;
            for (int j = 0; j < WIDTH; j++) {
                exact += 2 * all[i * WIDTH + j] * weights[j];
            }
            assertThat(weighed[i]).isCloseTo(exact, within(1e-9));
        }
    }
}
