package dev.pgkq.app.logged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.gp.EpisodicGram;
import dev.pgkq.gp.ExactGram;
import dev.pgkq.gp.FeatureGram;
import dev.pgkq.kernel.GaussianEpisodeKernel;
import dev.pgkq.kernel.GaussianEpisodeKernel.Inputs;
import dev.pgkq.kernel.GaussianEpisodeKernel.Weights;
import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.quadrature.LocalSearch;
import dev.pgkq.quadrature.Reweighted;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class GaussianKernelTest {
    private static final int OBSERVATIONS = 2;
    private static final int WIDTH = 3;

    /** Episodes with {@link #WIDTH} numbers per step, as in files. */
    private static LoggedEpisodes logged(int[] lengths, double[][] steps) {
        float[] observations = new float[steps.length * OBSERVATIONS];
        float[] actions = new float[steps.length * (WIDTH - OBSERVATIONS)];
        for (int t = 0; t < steps.length; t++) {
            for (int k = 0; k < WIDTH; k++) {
                if (k < OBSERVATIONS) {
                    observations[t * OBSERVATIONS + k] = (float) steps[t][k];
                } else {
                    actions[t * (WIDTH - OBSERVATIONS) + k - OBSERVATIONS] = (float) steps[t][k];
                }
            }
        }
        return LoggedEpisodes.of(
                Path.of("file"),
                lengths,
                OBSERVATIONS,
                observations,
                WIDTH - OBSERVATIONS,
                actions,
                Collections.nCopies(lengths.length, ""));
    }

    /** Steps around several centres, each with a share of the episodes. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Cloud(int[] lengths, double[][] steps, int[] groups) {
        static Cloud of(long seed, int episodes, double... shares) {
            RandomStream random = RandomStream.of(seed, Purpose.CHECK);
            double[][] centres = new double[shares.length][];
            for (int c = 0; c < centres.length; c++) {
                centres[c] = normal(random, 4);
            }
            int[] lengths = new int[episodes];
            int[] groups = new int[episodes];
            int total = 0;
            for (int i = 0; i < episodes; i++) {
                double at = (i + 0.5) / episodes;
                while (at > shares[groups[i]]) {
                    at -= shares[groups[i]++];
                }
                lengths[i] = 3 + random.nextInt(10);
                total += lengths[i];
            }
            double[][] steps = new double[total][];
            int t = 0;
            for (int i = 0; i < episodes; i++) {
                for (int u = 0; u < lengths[i]; u++) {
                    steps[t] = normal(random, 1);
                    for (int k = 0; k < WIDTH; k++) {
                        steps[t][k] += centres[groups[i]][k];
                    }
                    t++;
                }
            }
            return new Cloud(lengths, steps, groups);
        }

        private static double[] normal(RandomStream random, double deviation) {
            double[] values = new double[WIDTH];
            Arrays.setAll(values, k -> deviation * random.nextGaussian());
            return values;
        }

        LoggedEpisodes logged() {
            return GaussianKernelTest.logged(lengths, steps);
        }
    }

    private static GramMatrix gram(LoggedEpisodes episodes, Inputs inputs, Weights weights, EpisodicGram sums) {
        try (Workers workers = new Workers(2)) {
            return new GaussianKernel(new GaussianEpisodeKernel(inputs, weights, sums, 1))
                    .matrix(episodes, workers)
                    .gram();
        }
    }

    private static double[][] standardized(double[][] steps) {
        double[][] scaled = new double[steps.length][WIDTH];
        for (int k = 0; k < WIDTH; k++) {
            int column = k;
            double mean =
                    Arrays.stream(steps).mapToDouble(z -> z[column]).average().orElseThrow();
            double variance = Arrays.stream(steps)
                    .mapToDouble(z -> (z[column] - mean) * (z[column] - mean))
                    .average()
                    .orElseThrow();
            for (int t = 0; t < steps.length; t++) {
                scaled[t][k] = (steps[t][k] - mean) / Math.sqrt(variance);
            }
        }
        return scaled;
    }

    private static double squaredDistance(double[] a, double[] b) {
        double sum = 0;
        for (int k = 0; k < WIDTH; k++) {
            sum += (a[k] - b[k]) * (a[k] - b[k]);
        }
        return sum;
    }

    /** Over all steps, which are fewer than a sample. */
    private static double medianSquaredDistance(double[][] steps) {
        double[] distances = new double[steps.length * (steps.length - 1) / 2];
        int at = 0;
        for (int i = 0; i < steps.length; i++) {
            for (int j = 0; j < i; j++) {
                distances[at++] = Math.sqrt(squaredDistance(steps[i], steps[j]));
            }
        }
        double[] sorted = Arrays.stream(distances).sorted().toArray();
        double median = (sorted[(at - 1) / 2] + sorted[at / 2]) / 2;
        return median * median;
    }

    @ParameterizedTest
    @CsvSource({"STANDARDIZED, MEAN", "STANDARDIZED, SUM", "RAW, MEAN", "RAW, SUM"})
    void theKernelEqualsItsFormula(Inputs inputs, Weights weights) {
        Cloud cloud = Cloud.of(1, 12, 0.5, 0.5);
        double[][] steps = inputs == Inputs.RAW ? cloud.steps : standardized(cloud.steps);
        double median = medianSquaredDistance(steps);
        GramMatrix gram = gram(cloud.logged(), inputs, weights, new ExactGram());
        int from = 0;
        for (int i = 0; i < cloud.lengths.length; i++) {
            int other = 0;
            for (int j = 0; j < cloud.lengths.length; j++) {
                double sum = 0;
                for (int t = from; t < from + cloud.lengths[i]; t++) {
                    for (int u = other; u < other + cloud.lengths[j]; u++) {
                        sum += Math.exp(-squaredDistance(steps[t], steps[u]) / (2 * median));
                    }
                }
                double scale = weights == Weights.SUM ? 1 : cloud.lengths[i] * cloud.lengths[j];
                assertThat(gram.at(i, j)).isCloseTo(sum / scale, within(1e-5 * (1 + sum / scale)));
                other += cloud.lengths[j];
            }
            from += cloud.lengths[i];
        }
    }

    /** For random functions with covariance k, the mean squared error of the selection's estimate is wce². */
    @Test
    void theErrorIsThatOfRandomFunctions() {
        Cloud cloud = Cloud.of(2, 40, 0.4, 0.3, 0.3);
        double length = Math.sqrt(medianSquaredDistance(cloud.steps));
        EpisodeSelection selection = select(cloud.logged(), 5, Inputs.RAW);
        int functions = 2000;
        int waves = 30;
        RandomStream random = RandomStream.of(3, Purpose.CHECK);
        double squares = 0;
        for (int f = 0; f < functions; f++) {
            double[] means = new double[cloud.lengths.length];
            for (int w = 0; w < waves; w++) {
                double[] frequency = Cloud.normal(random, 1 / length);
                double phase = random.uniform(0, 2 * Math.PI);
                int t = 0;
                for (int i = 0; i < means.length; i++) {
                    for (int u = 0; u < cloud.lengths[i]; u++, t++) {
                        double angle = phase;
                        for (int k = 0; k < WIDTH; k++) {
                            angle += frequency[k] * cloud.steps[t][k];
                        }
                        means[i] += Math.sqrt(2.0 / waves) * Math.cos(angle) / cloud.lengths[i];
                    }
                }
            }
            double estimate = selection.rows().stream()
                    .mapToDouble(row -> row.weight() * means[row.index()])
                    .sum();
            double error = estimate - Arrays.stream(means).average().orElseThrow();
            squares += error * error;
        }
        double expected = selection.error() * selection.error();
        // the standard error is about √(2 / 2000) = 3 %
        assertThat(squares / functions).isCloseTo(expected, within(0.13 * expected));
    }

    private static EpisodeSelection select(LoggedEpisodes episodes, int n, Inputs inputs) {
        try (Workers workers = new Workers(2)) {
            GaussianKernel kernel =
                    new GaussianKernel(new GaussianEpisodeKernel(inputs, Weights.MEAN, new ExactGram(), 1));
            return EpisodeSelection.of(episodes, n, kernel, new Reweighted(new LocalSearch(0)), 1, workers);
        }
    }

    /** Each cluster gets the weight of its share, and the error is far below that of random selection. */
    @Test
    void clustersAreRepresentedByTheirShares() {
        double[] shares = {0.5, 0.25, 0.15, 0.1};
        double ratios = 0;
        int sets = 10;
        for (int seed = 0; seed < sets; seed++) {
            Cloud cloud = Cloud.of(100 + seed, 60, shares);
            EpisodeSelection selection = select(cloud.logged(), 8, Inputs.STANDARDIZED);
            double[] weights = new double[shares.length];
            selection.rows().forEach(row -> weights[cloud.groups[row.index()]] += row.weight());
            for (int c = 0; c < shares.length; c++) {
                assertThat(weights[c]).as("set " + seed + ", cluster " + c).isCloseTo(shares[c], within(0.1));
            }
            assertThat(selection.error()).isLessThan(0.2 * selection.randomError());
            ratios += selection.error() / selection.randomError() / sets;
        }
        assertThat(ratios).isLessThan(0.1);
    }

    @Test
    void featuresApproximateTheKernel() {
        LoggedEpisodes episodes = Cloud.of(4, 20, 0.5, 0.5).logged();
        GramMatrix exact = gram(episodes, Inputs.STANDARDIZED, Weights.MEAN, new ExactGram());
        GramMatrix near = gram(episodes, Inputs.STANDARDIZED, Weights.MEAN, new FeatureGram(4096, 1));
        for (int i = 0; i < episodes.count(); i++) {
            for (int j = 0; j < episodes.count(); j++) {
                assertThat(near.at(i, j)).isCloseTo(exact.at(i, j), within(0.1));
            }
        }
    }

    /** The computed deviation of a constant such as 0.1f is rounding error, which must not become an input. */
    @ParameterizedTest
    @EnumSource(Inputs.class)
    void constantColumnsHaveNoEffect(Inputs inputs) {
        Cloud cloud = Cloud.of(5, 20, 1);
        double[][] flat = Arrays.stream(cloud.steps)
                .map(z -> new double[] {0.1f, z[1], 1e30f})
                .toArray(double[][]::new);
        double[][] moved =
                Arrays.stream(cloud.steps).map(z -> new double[] {0, z[1], 0}).toArray(double[][]::new);
        GramMatrix a = gram(logged(cloud.lengths, flat), inputs, Weights.MEAN, new ExactGram());
        GramMatrix b = gram(logged(cloud.lengths, moved), inputs, Weights.MEAN, new ExactGram());
        for (int i = 0; i < a.size(); i++) {
            for (int j = 0; j < a.size(); j++) {
                assertThat(a.at(i, j)).isEqualTo(b.at(i, j));
            }
        }
    }

    @Test
    void identicalStepsLeaveNoError() {
        double[][] same = new double[12][WIDTH];
        EpisodeSelection selection = select(logged(new int[] {3, 3, 3, 3}, same), 2, Inputs.STANDARDIZED);
        assertThat(selection.error()).isLessThan(1e-3);
        assertThat(selection.randomError()).isLessThan(1e-3);
    }

    /** Most distances are 0, so the median of the others counts. */
    @Test
    void distancesOfZeroAreIgnoredIfTheyAreTheMajority() {
        double[][] steps = new double[20][WIDTH];
        steps[3][0] = 2;
        steps[11][0] = 2;
        int[] lengths = {10, 10};
        GramMatrix gram = gram(logged(lengths, steps), Inputs.RAW, Weights.SUM, new ExactGram());
        double near = 81 + 1;
        assertThat(gram.at(0, 1)).isCloseTo(near + 18 * Math.exp(-0.5), within(1e-3));
    }

    @Test
    void anOutlierIsNamed() {
        Cloud cloud = Cloud.of(6, 20, 1);
        int step = cloud.lengths[0] + cloud.lengths[1] + 1;
        cloud.steps[step][1] = 1e20;
        assertThatThrownBy(() -> gram(cloud.logged(), Inputs.RAW, Weights.MEAN, new ExactGram()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("episode 2, step 1 is ")
                .hasMessageContaining("an error in the data");
    }
}
