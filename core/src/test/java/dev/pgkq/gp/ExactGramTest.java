package dev.pgkq.gp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.linalg.SymmetricEigen;
import dev.pgkq.parallel.Workers;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExactGramTest {
    private static double[] gram(EmbeddedEpisodes episodes) {
        return gram(episodes, 1);
    }

    private static double[] gram(EmbeddedEpisodes episodes, int count) {
        try (Workers workers = new Workers(count)) {
            return new ExactGram().of(episodes, workers);
        }
    }

    private static double[] plain(EmbeddedEpisodes episodes) {
        try (Workers workers = new Workers(1)) {
            return ExactGram.plain().of(episodes, workers);
        }
    }

    private static void equalsFormula(EmbeddedEpisodes episodes) {
        double[] gram = gram(episodes);
        double[] truth = RandomEpisodes.bruteForce(episodes);
        double[] sizes = RandomEpisodes.sizesOfSums(episodes);
        int n = episodes.count();
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                assertThat(gram[i * n + j])
                        .as("K of %d and %d", i, j)
                        .isCloseTo(truth[i * n + j], offset(1e-6 * sizes[i * n + j]));
                assertThat(gram[i * n + j]).isEqualTo(gram[j * n + i]);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 32})
    void equalsItsFormulaOnEpisodesOfAllLengths(int dimensions) {
        equalsFormula(RandomEpisodes.of(dimensions, RandomEpisodes.LENGTHS));
        equalsFormula(RandomEpisodes.of(dimensions, 1000, 17, 1003));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 16, 23})
    void equalsItsFormulaForAnyNumberOfFeatures(int features) {
        equalsFormula(RandomEpisodes.of(features, 1, RandomEpisodes.LENGTHS));
        equalsFormula(RandomEpisodes.of(features, 2, RandomEpisodes.LENGTHS));
    }

    @Test
    void singleStepsAreGaussianKernelValues() {
        int n = 200;
        int[] starts = new int[n + 1];
        float[] embeddings = new float[n];
        float[] weights = new float[n];
        for (int i = 0; i < n; i++) {
            starts[i + 1] = i + 1;
            embeddings[i] = 0.1f * i;
            weights[i] = 1;
        }
        double[] gram = gram(new EmbeddedEpisodes(starts, 1, embeddings, 1, weights));
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double distance = (double) embeddings[i] - embeddings[j];
                double truth = Math.exp(-distance * distance / 20);
                // The exponent, up to 20, is off by some units in the last place of the squares it is made of.
                assertThat(gram[i * n + j]).isCloseTo(truth, offset(5e-6 * truth));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 32})
    void isPositiveSemidefiniteToRounding(int dimensions) {
        int[] lengths = new int[40];
        Arrays.setAll(lengths, i -> 1 + i * 7 % 50);
        double[] gram = gram(RandomEpisodes.of(dimensions, lengths));
        double[] values =
                SymmetricEigen.largest(gram, lengths.length, lengths.length).values();
        assertThat(values[lengths.length - 1]).isGreaterThan(-1e-6 * values[0]);
    }

    @Test
    void simdAgreesWithItsPlainTwinToTheLastBit() {
        for (int features : new int[] {1, 10, 13}) {
            for (int dimensions : new int[] {1, 2, 3, 32}) {
                EmbeddedEpisodes episodes = RandomEpisodes.of(features, dimensions, RandomEpisodes.LENGTHS);
                assertThat(gram(episodes)).isEqualTo(plain(episodes));
            }
        }
        EmbeddedEpisodes longer = RandomEpisodes.of(1, 1000, 1, 501);
        assertThat(gram(longer)).isEqualTo(plain(longer));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 32})
    void theNumberOfWorkersDoesNotMatter(int dimensions) {
        EmbeddedEpisodes episodes = RandomEpisodes.of(dimensions, RandomEpisodes.LENGTHS);
        double[] one = gram(episodes, 1);
        assertThat(gram(episodes, 2)).isEqualTo(one);
        assertThat(gram(episodes, 7)).isEqualTo(one);
    }

    /** A process of its own for each width, since a JVM has one. */
    @Test
    void theWidthOfVectorsDoesNotMatter() throws IOException, URISyntaxException {
        String here = digest();
        assertThat(digestWithVectorsOf(16)).isEqualTo(here);
        assertThat(digestWithVectorsOf(32)).isEqualTo(here);
    }

    private static String digestWithVectorsOf(int bytes) throws IOException, URISyntaxException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:MaxVectorSize=" + bytes,
                        "-XX:+DisplayVMOutputToStderr",
                        "--add-modules=jdk.incubator.vector",
                        "-cp",
                        folderOf(ExactGram.class) + System.getProperty("path.separator") + folderOf(Digest.class),
                        Digest.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static String folderOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    private static String digest() {
        return Arrays.hashCode(gram(RandomEpisodes.of(1, RandomEpisodes.LENGTHS))) + " "
                + Arrays.hashCode(gram(RandomEpisodes.of(3, RandomEpisodes.LENGTHS)));
    }

    /** What the other processes run. */
    static final class Digest {
        private Digest() {}

        public static void main(String[] arguments) {
            System.out.print(digest());
        }
    }

    @Test
    void anOffsetOfAllEmbeddingsCostsNoDigits() {
        EmbeddedEpisodes near = RandomEpisodes.of(1, RandomEpisodes.LENGTHS);
        float[] moved = near.embeddings().clone();
        for (int i = 0; i < moved.length; i++) {
            // Rounded to what is left of it far from 0, so that both places hold the same differences.
            near.embeddings()[i] = moved[i] + 1024 - 1024;
            moved[i] = near.embeddings()[i] + 1024;
        }
        EmbeddedEpisodes far = new EmbeddedEpisodes(near.starts(), near.features(), moved, 1, near.weights());
        equalsFormula(near);
        equalsFormula(far);
    }

    @Test
    void embeddingsFarApartGiveSmallFiniteKernels() {
        EmbeddedEpisodes episodes = RandomEpisodes.of(1, RandomEpisodes.LENGTHS);
        float[] spread = episodes.embeddings();
        for (int i = 0; i < spread.length; i++) {
            spread[i] *= 300;
        }
        double[] gram = gram(episodes);
        double[] truth = RandomEpisodes.bruteForce(episodes);
        assertThat(gram).isEqualTo(plain(episodes));
        for (int i = 0; i < gram.length; i++) {
            // A step is near none but itself. Norms of a thousand leave an exponent two digits after the point.
            assertThat(gram[i]).isCloseTo(truth[i], offset(0.05 * Math.abs(truth[i]) + 1e-30));
        }
    }

    @Test
    void emptyEpisodesHaveKernelZero() {
        assertThat(gram(RandomEpisodes.of(1, 0, 0))).containsExactly(0, 0, 0, 0);
        assertThat(gram(RandomEpisodes.of(1))).isEmpty();
        double[] gram = gram(RandomEpisodes.of(1, 0, 3));
        assertThat(gram[0]).isZero();
        assertThat(gram[1]).isZero();
        assertThat(gram[3]).isPositive();
    }

    @Test
    void episodesThatAreNoneAreRefused() {
        int[] starts = {0, 2};
        assertThatThrownBy(() -> new EmbeddedEpisodes(new int[] {1, 2}, 1, new float[2], 1, new float[2]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EmbeddedEpisodes(new int[] {0, 2, 1}, 1, new float[1], 1, new float[1]))
                .hasMessageContaining("episode 1");
        assertThatThrownBy(() -> new EmbeddedEpisodes(starts, 3, new float[5], 1, new float[2]))
                .hasMessageContaining("embeddings");
        assertThatThrownBy(() -> new EmbeddedEpisodes(starts, 1, new float[2], 1, new float[] {1, Float.NaN}))
                .hasMessageContaining("row 1 contain NaN");
        EmbeddedEpisodes huge = new EmbeddedEpisodes(starts, 1, new float[] {1e30f, 0}, 1, new float[2]);
        assertThatThrownBy(() -> gram(huge)).hasMessageContaining("too large");
    }
}
