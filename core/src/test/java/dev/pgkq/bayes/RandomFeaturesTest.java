package dev.pgkq.bayes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RandomFeaturesTest {
    private static final int INPUTS = 3;
    private static final int COUNT = 20_000;

    private static float[] steps(int rows, long seed) {
        RandomStream random = RandomStream.of(seed, Purpose.CHECK);
        float[] steps = new float[rows * INPUTS];
        for (int i = 0; i < rows; i++) {
            steps[i * INPUTS] = (float) (1000 + 10 * random.nextGaussian());
            steps[i * INPUTS + 1] = (float) (1e-3 * random.nextGaussian());
            steps[i * INPUTS + 2] = 7;
        }
        return steps;
    }

    private static RandomFeatures fixed(int count, float[] steps, int threads) {
        RandomFeatures features = new RandomFeatures(INPUTS, 0, count, 1, new Workers(threads));
        features.fix(steps);
        return features;
    }

    /**
     * Averages over many features are expectations: for u = ⟨a, ẑ⟩ + b with variance v = ‖ẑ‖²/D + 1, E max(0, u) = √(v / 2π) and
     * E max(0, u)² = v / 2. The standard error of a mean of 20,000 is below 1 % of each.
     */
    @Test
    void featuresAreThoseOfStandardisedInputs() {
        float[] steps = steps(500, 1);
        float[] one = {1010, -2e-3f, 7};
        RandomFeatures features = fixed(COUNT, steps, 1);
        float[] values = features.of(new int[] {0, 1}, one);
        assertThat(values).hasSize(COUNT + INPUTS + 1);
        assertThat(values[COUNT + INPUTS]).isEqualTo(1);
        double[] standardised = new double[INPUTS];
        for (int k = 0; k < 2; k++) {
            double mean = 0;
            double square = 0;
            for (int i = 0; i < 500; i++) {
                mean += steps[i * INPUTS + k] / 500.0;
            }
            for (int i = 0; i < 500; i++) {
                square += Math.pow(steps[i * INPUTS + k] - mean, 2) / 500;
            }
            standardised[k] = (one[k] - mean) / Math.sqrt(square);
        }
        for (int k = 0; k < INPUTS; k++) {
            double linear = 0.3 * Math.sqrt((double) COUNT / INPUTS) * standardised[k];
            assertThat(values[COUNT + k]).isCloseTo((float) linear, within((float) (1e-5 * (1 + Math.abs(linear)))));
        }
        double variance = 1 + Arrays.stream(standardised).map(x -> x * x).sum() / INPUTS;
        double mean = 0;
        double square = 0;
        for (int j = 0; j < COUNT; j++) {
            mean += values[j] / COUNT;
            square += values[j] * values[j] / COUNT;
        }
        assertThat(mean).isCloseTo(Math.sqrt(variance / (2 * Math.PI)), within(0.03 * Math.sqrt(variance)));
        assertThat(square).isCloseTo(variance / 2, within(0.04 * variance));
    }

    /** Marks have no units, and the random features do not see them. */
    @Test
    void marksAreFeaturesOfTheirOwn() {
        RandomFeatures features = new RandomFeatures(1, 2, 4, 1, new Workers(1));
        features.fix(new float[] {1, 0, 0, 3, 0, 0});
        float[] values = features.of(new int[] {0, 2}, new float[] {3, 0, 0, 3, 1, 0});
        int size = 4 + 1 + 2 + 1;
        assertThat(features.size()).isEqualTo(size);
        assertThat(Arrays.copyOfRange(values, size, size + 5)).isEqualTo(Arrays.copyOfRange(values, 0, 5));
        assertThat(Arrays.copyOfRange(values, 4, size)).containsExactly(0.6f, 0, 0, 1);
        assertThat(Arrays.copyOfRange(values, size + 4, 2 * size)).containsExactly(0.6f, 6, 0, 1);
    }

    @Test
    void manyComponentsHaveNoLinearFeatures() {
        int many = RandomFeatures.MOST_LINEAR + 1;
        assertThat(new RandomFeatures(many - 1, 1, 4, 1, new Workers(1)).size()).isEqualTo(4 + many - 1 + 2);
        assertThat(new RandomFeatures(many, 1, 4, 1, new Workers(1)).size()).isEqualTo(4 + 2);
    }

    @Test
    void laterStepsDoNotChangeThem() {
        float[] first = steps(50, 1);
        RandomFeatures features = fixed(30, first, 1);
        float[] before = features.of(new int[] {0, 50}, first);
        features.of(new int[] {0, 80}, steps(80, 2));
        assertThat(features.of(new int[] {0, 50}, first)).isEqualTo(before);
    }

    @Test
    void bitsDependOnNeitherThreadsNorOtherEpisodes() {
        float[] steps = steps(900, 1);
        float[] all = fixed(30, steps, 3).of(new int[] {0, 200, 900}, steps);
        float[] second =
                fixed(30, steps, 1).of(new int[] {0, 700}, Arrays.copyOfRange(steps, 200 * INPUTS, 900 * INPUTS));
        assertThat(Arrays.copyOfRange(all, 200 * (31 + INPUTS), 900 * (31 + INPUTS)))
                .isEqualTo(second);
    }

    @Test
    void aCheckpointRestoresThem() {
        float[] steps = steps(50, 1);
        RandomFeatures features = fixed(30, steps, 1);
        Snapshot.Builder builder = new Snapshot.Builder();
        features.save("features", builder);
        RandomFeatures other = new RandomFeatures(INPUTS, 0, 30, 1, new Workers(1));
        assertThat(other.isFixed()).isFalse();
        other.restore("features", builder.build());
        assertThat(other.isFixed()).isTrue();
        assertThat(other.of(new int[] {0, 50}, steps)).isEqualTo(features.of(new int[] {0, 50}, steps));
    }
}
