package dev.pgkq.gp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeatureGramTest {
    private static final int[] SHORT = {3, 0, 5, 1};

    private static double[] gram(EmbeddedEpisodes episodes, int count, long seed, int threads) {
        try (Workers workers = new Workers(threads)) {
            return new FeatureGram(count, seed).of(episodes, workers);
        }
    }

    /** Mean over seeds of the squared error, as a share of the squared Frobenius norm. */
    private static double squaredError(EmbeddedEpisodes episodes, int count, int seeds) {
        double[] truth = RandomEpisodes.bruteForce(episodes);
        double error = 0;
        double norm = 0;
        for (int i = 0; i < truth.length; i++) {
            norm += truth[i] * truth[i];
        }
        try (Workers workers = new Workers(1)) {
            for (int seed = 0; seed < seeds; seed++) {
                double[] gram = new FeatureGram(count, seed).of(episodes, workers);
                for (int i = 0; i < truth.length; i++) {
                    error += (gram[i] - truth[i]) * (gram[i] - truth[i]);
                }
            }
        }
        return error / seeds / norm;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void theErrorFallsLikeOneOverTheRootOfTheNumberOfFeatures(int dimensions) {
        EmbeddedEpisodes episodes = RandomEpisodes.of(dimensions, 20, 7, 33, 50);
        double few = squaredError(episodes, 80, 200);
        double many = squaredError(episodes, 80 * 16, 200);
        // 16, and the squares of a normal error, averaged over 200 seeds, are off by a tenth or so.
        assertThat(few / many).isBetween(8.0, 32.0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void theMeanOverSeedsIsTheExactKernel(int dimensions) {
        EmbeddedEpisodes episodes = RandomEpisodes.of(dimensions, SHORT);
        double[] truth = RandomEpisodes.bruteForce(episodes);
        int seeds = 2000;
        double[] sum = new double[truth.length];
        double[] squares = new double[truth.length];
        try (Workers workers = new Workers(1)) {
            for (int seed = 0; seed < seeds; seed++) {
                double[] gram = new FeatureGram(26, seed).of(episodes, workers);
                for (int i = 0; i < truth.length; i++) {
                    sum[i] += gram[i];
                    squares[i] += gram[i] * gram[i];
                }
            }
        }
        for (int i = 0; i < truth.length; i++) {
            double mean = sum[i] / seeds;
            double standardError = Math.sqrt(Math.max(0, squares[i] / seeds - mean * mean) / seeds);
            assertThat(mean).isCloseTo(truth[i], offset(4 * standardError + 1e-5));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 32})
    void manyFeaturesComeCloseOnEpisodesOfAllLengths(int dimensions) {
        EmbeddedEpisodes episodes = RandomEpisodes.of(dimensions, 300, 0, 1, 128, 129, 15);
        assertThat(squaredError(episodes, 4000, 1)).isLessThan(0.03 * 0.03);
    }

    @Test
    void orthogonalFrequenciesAreOrthogonalAndAsLongAsNormalOnes() {
        int features = 10;
        int count = 4000;
        float[] frequencies = Frequencies.inTurns(features, count, RandomStream.of(1, Purpose.CHECK));
        double squares = 0;
        for (int a = 0; a < count; a++) {
            squares += dot(frequencies, count, features, a, a);
            for (int b = a - a % features; b < a; b++) {
                assertThat(dot(frequencies, count, features, a, b)).isCloseTo(0, offset(1e-7));
            }
        }
        // E‖ω‖² = 10 · 1/10, and ‖ω‖² has variance 2 · 10 / 10².
        double mean = squares * 4 * Math.PI * Math.PI / count;
        assertThat(mean).isCloseTo(1, offset(4 * Math.sqrt(0.2 / count)));
    }

    private static double dot(float[] matrix, int columns, int rows, int a, int b) {
        double sum = 0;
        for (int k = 0; k < rows; k++) {
            sum += (double) matrix[k * columns + a] * matrix[k * columns + b];
        }
        return sum;
    }

    @Test
    void isSymmetricAndTheNumberOfWorkersDoesNotMatter() {
        int[] lengths = new int[150];
        Arrays.setAll(lengths, i -> i % 40);
        EmbeddedEpisodes episodes = RandomEpisodes.of(2, lengths);
        double[] one = gram(episodes, 300, 5, 1);
        assertThat(gram(episodes, 300, 5, 2)).isEqualTo(one);
        assertThat(gram(episodes, 300, 5, 7)).isEqualTo(one);
        for (int i = 0; i < lengths.length; i++) {
            for (int j = 0; j < i; j++) {
                assertThat(one[i * lengths.length + j]).isEqualTo(one[j * lengths.length + i]);
            }
        }
    }

    @Test
    void aSeedFixesTheResult() {
        EmbeddedEpisodes episodes = RandomEpisodes.of(1, SHORT);
        assertThat(gram(episodes, 40, 1, 1)).isEqualTo(gram(episodes, 40, 1, 1)).isNotEqualTo(gram(episodes, 40, 2, 1));
    }

    @Test
    void anOffsetOfAllEmbeddingsChangesNothingButRounding() {
        EmbeddedEpisodes near = RandomEpisodes.of(1, SHORT);
        float[] moved = near.embeddings().clone();
        for (int i = 0; i < moved.length; i++) {
            moved[i] += 1000;
        }
        double[] gram = gram(near, 40, 1, 1);
        double[] far = gram(new EmbeddedEpisodes(near.starts(), near.features(), moved, 1, near.weights()), 40, 1, 1);
        for (int i = 0; i < gram.length; i++) {
            assertThat(far[i]).isCloseTo(gram[i], offset(1e-3));
        }
    }

    @Test
    void emptyEpisodesHaveKernelZeroAndOddCountsAreRefused() {
        assertThat(gram(RandomEpisodes.of(1, 0, 0), 4, 1, 1)).containsExactly(0, 0, 0, 0);
        assertThat(gram(RandomEpisodes.of(1), 4, 1, 1)).isEmpty();
        assertThatThrownBy(() -> new FeatureGram(5, 1)).hasMessageContaining("pairs");
        EmbeddedEpisodes huge = new EmbeddedEpisodes(new int[] {0, 2}, 1, new float[] {1e8f, 0}, 1, new float[2]);
        assertThatThrownBy(() -> gram(huge, 4, 1, 1)).hasMessageContaining("too large");
    }
}
