package dev.pgkq.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.episode.Steps;
import dev.pgkq.gp.ExactGram;
import dev.pgkq.kernel.GaussianEpisodeKernel.Comparison;
import dev.pgkq.kernel.GaussianEpisodeKernel.Inputs;
import dev.pgkq.kernel.GaussianEpisodeKernel.OutlyingStepException;
import dev.pgkq.kernel.GaussianEpisodeKernel.Weights;
import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GaussianEpisodeKernelTest {
    private static final int STATES = 3;
    private static final int SEED = 5;

    /** Steps of three observations, of which the last never changes, and one action. */
    private static Steps steps(int... lengths) {
        int[] starts = new int[lengths.length + 1];
        for (int e = 0; e < lengths.length; e++) {
            starts[e + 1] = starts[e] + lengths[e];
        }
        int count = starts[lengths.length];
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        float[] observations = new float[count * STATES];
        float[] actions = new float[count];
        for (int i = 0; i < count; i++) {
            observations[i * STATES] = (float) (100 + 20 * random.nextGaussian());
            observations[i * STATES + 1] = (float) random.nextGaussian();
            observations[i * STATES + 2] = 7.3f;
            actions[i] = (float) (0.1 * random.nextGaussian() - 2);
        }
        return Steps.logged(starts, observations, actions);
    }

    private static Comparison compare(Inputs inputs, Weights weights, Steps steps) {
        try (Workers workers = new Workers(2)) {
            return new GaussianEpisodeKernel(inputs, weights, new ExactGram(), SEED).compare(steps, workers);
        }
    }

    /** z_t of every step, with mean 0 and, if standardized, deviation 1 in each number that is not constant. */
    private static double[][] rows(Steps steps, Inputs inputs) {
        int count = steps.size();
        double[][] rows = new double[count][STATES + 1];
        for (int k = 0; k <= STATES; k++) {
            int column = k;
            double[] values = IntStream.range(0, count)
                    .mapToDouble(i -> column < STATES ? steps.observations()[i * STATES + column] : steps.actions()[i])
                    .toArray();
            double mean = IntStream.range(0, count).mapToDouble(i -> values[i]).sum() / count;
            double variance = IntStream.range(0, count)
                            .mapToDouble(i -> Math.pow(values[i] - mean, 2))
                            .sum()
                    / count;
            boolean constant = variance < 1e-8;
            double scale = constant ? 0 : inputs == Inputs.STANDARDIZED ? 1 / Math.sqrt(variance) : 1;
            for (int i = 0; i < count; i++) {
                rows[i][k] = (values[i] - mean) * scale;
            }
        }
        return rows;
    }

    private static double distance(double[] a, double[] b) {
        double squares = 0;
        for (int k = 0; k < a.length; k++) {
            squares += (a[k] - b[k]) * (a[k] - b[k]);
        }
        return Math.sqrt(squares);
    }

    private static double median(double[][] rows) {
        List<Double> distances = new ArrayList<>();
        for (double[] a : rows) {
            for (double[] b : rows) {
                if (a != b) {
                    distances.add(distance(a, b));
                }
            }
        }
        Collections.sort(distances);
        // every pair occurs twice
        return (distances.get(distances.size() / 2 - 1) + distances.get(distances.size() / 2)) / 2;
    }

    /** Lengths that give an odd and an even number of pairs, and an episode without steps. */
    @ParameterizedTest
    @CsvSource({"STANDARDIZED, MEAN, 3", "STANDARDIZED, SUM, 3", "RAW, MEAN, 3", "RAW, SUM, 4", "STANDARDIZED, MEAN, 4"
    })
    void theKernelIsTheSumOverAllPairsOfSteps(Inputs inputs, Weights weights, int last) {
        Steps steps = steps(5, 0, 2, last);
        double[][] rows = rows(steps, inputs);
        double length = median(rows);
        Comparison comparison = compare(inputs, weights, steps);
        assertThat(comparison.lengthScale()).isCloseTo(length, within(1e-9 * length));
        GramMatrix gram = comparison.gram();
        for (int a = 0; a < steps.episodes(); a++) {
            for (int b = 0; b < steps.episodes(); b++) {
                double sum = 0;
                for (int t = steps.start(a); t < steps.start(a + 1); t++) {
                    for (int u = steps.start(b); u < steps.start(b + 1); u++) {
                        double weight = weights == Weights.SUM ? 1 : 1.0 / (steps.length(a) * steps.length(b));
                        sum += weight * Math.exp(-Math.pow(distance(rows[t], rows[u]) / length, 2) / 2);
                    }
                }
                assertThat(gram.at(a, b)).isCloseTo(sum, within(1e-5 * steps.size()));
            }
        }
    }

    @Test
    @Tag("unmutated")
    void theLengthIsThatOfARandomSampleIfThereAreManySteps() {
        Steps steps = steps(700, 600);
        double[][] all = rows(steps, Inputs.RAW);
        int[] sample = RandomStream.of(SEED, Purpose.LENGTH_SCALE).subset(1300, GaussianEpisodeKernel.SAMPLE);
        double[][] rows = IntStream.of(sample).mapToObj(i -> all[i]).toArray(double[][]::new);
        double length = compare(Inputs.RAW, Weights.MEAN, steps).lengthScale();
        assertThat(length).isCloseTo(median(rows), within(1e-9 * length));
    }

    @Test
    void theStandardKernelStandardizesStepsAndAveragesOverThem() {
        Steps steps = steps(4, 3);
        try (Workers workers = new Workers(1)) {
            Comparison standard = GaussianEpisodeKernel.standard(SEED).compare(steps, workers);
            Comparison written = compare(Inputs.STANDARDIZED, Weights.MEAN, steps);
            assertThat(standard.lengthScale()).isEqualTo(written.lengthScale());
            assertThat(standard.gram().at(0, 1)).isEqualTo(written.gram().at(0, 1));
        }
    }

    private static Steps ofActions(float... actions) {
        return Steps.logged(new int[] {0, actions.length}, new float[actions.length], actions);
    }

    @Test
    void distancesOfZeroAreLeftOutIfTheyAreTheMost() {
        // one step away from four equal ones: six distances of 0, four of 3
        assertThat(compare(Inputs.RAW, Weights.SUM, ofActions(1, 1, 4, 1, 1)).lengthScale())
                .isEqualTo(3);
        assertThat(compare(Inputs.RAW, Weights.SUM, ofActions(2, 2, 2)).lengthScale())
                .isEqualTo(1);
        assertThat(compare(Inputs.RAW, Weights.SUM, ofActions(2)).lengthScale()).isEqualTo(1);
    }

    /** A number that never changes says nothing, even if its mean is not exactly that number. */
    @Test
    void constantNumbersDoNotCount() {
        Steps steps = ofActions(0.1f, 0.1f, 0.1f);
        assertThat(compare(Inputs.STANDARDIZED, Weights.SUM, steps).gram().at(0, 0))
                .isCloseTo(9, within(1e-5));
    }

    @Test
    void aStepThatIsFarFromAllOthersIsRefused() {
        float[] actions = new float[2001];
        for (int i = 0; i < actions.length; i++) {
            actions[i] = i % 2;
        }
        actions[17] = -950;
        assertThat(compare(Inputs.RAW, Weights.MEAN, ofActions(actions)).lengthScale())
                .isEqualTo(1);
        actions[17] = -1050;
        assertThatThrownBy(() -> compare(Inputs.RAW, Weights.MEAN, ofActions(actions)))
                .isInstanceOfSatisfying(OutlyingStepException.class, outlier -> {
                    assertThat(outlier.step()).isEqualTo(17);
                    assertThat(outlier.ratio()).isCloseTo(1050, within(1.0));
                })
                .hasMessageContaining("step 17");
    }

    @Test
    void nothingCannotBeCompared() {
        assertThatThrownBy(() -> compare(Inputs.RAW, Weights.MEAN, ofActions()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no steps");
    }
}
