package dev.pgkq.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.bayes.NormalEquations;
import dev.pgkq.bayes.Posterior;
import dev.pgkq.linalg.Cholesky;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares uncertainties with dense formulas, and these with draws from the posterior. */
class GradientUncertaintyTest {
    private static final int FEATURES = 6;
    private static final int DIMENSIONS = 2;
    private static final int[] STARTS = {0, 3, 8, 9, 13, 20};
    private static final int EPISODES = STARTS.length - 1;

    private final Workers workers = new Workers(2);
    private final RandomStream random = RandomStream.of(1, Purpose.CHECK);
    private final float[] features = floats(STARTS[EPISODES] * FEATURES);
    private final float[] credits = floats(STARTS[EPISODES] * DIMENSIONS);
    private final NormalEquations known = known();
    private final Posterior posterior = Posterior.of(known);

    private float[] floats(int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }

    private NormalEquations known() {
        float[] rows = floats(9 * FEATURES);
        double[] values = new double[9];
        Arrays.setAll(values, i -> rows[i * FEATURES] + 0.3 * random.nextGaussian());
        return NormalEquations.of(FEATURES, rows, values, workers);
    }

    @AfterEach
    void stop() {
        workers.close();
    }

    private StepUncertainty ofSteps(int directions) {
        return new StepUncertainty(
                posterior,
                STARTS,
                (worker, e) -> Arrays.copyOfRange(features, STARTS[e] * FEATURES, STARTS[e + 1] * FEATURES),
                credits,
                DIMENSIONS,
                directions,
                workers);
    }

    private double[] sums() {
        double[] sums = new double[EPISODES * FEATURES];
        for (int e = 0; e < EPISODES; e++) {
            for (int i = STARTS[e]; i < STARTS[e + 1]; i++) {
                for (int j = 0; j < FEATURES; j++) {
                    sums[e * FEATURES + j] += features[i * FEATURES + j];
                }
            }
        }
        return sums;
    }

    private SumUncertainty ofSums() {
        return new SumUncertainty(posterior, sums(), gradient(e -> true), DIMENSIONS);
    }

    private interface Which {
        boolean has(int episode);
    }

    /** Σ_t φ_t v_tᵀ over the steps of some episodes. */
    private double[] gradient(Which which) {
        double[] sum = new double[FEATURES * DIMENSIONS];
        for (int e = 0; e < EPISODES; e++) {
            for (int i = STARTS[e]; which.has(e) && i < STARTS[e + 1]; i++) {
                for (int j = 0; j < FEATURES; j++) {
                    for (int d = 0; d < DIMENSIONS; d++) {
                        sum[j * DIMENSIONS + d] += (double) features[i * FEATURES + j] * credits[i * DIMENSIONS + d];
                    }
                }
            }
        }
        return sum;
    }

    /** P and what the observation of rows adds to it. */
    private double[] precision(double[][] rows) {
        double[] precision = known.products().clone();
        for (int j = 0; j < FEATURES; j++) {
            precision[j * FEATURES + j] += posterior.ridge();
        }
        for (double[] row : rows) {
            for (int j = 0; j < FEATURES; j++) {
                for (int k = 0; k < FEATURES; k++) {
                    precision[j * FEATURES + k] += row[j] * row[k];
                }
            }
        }
        return precision;
    }

    private double[][] steps(Which which) {
        return IntStream.range(0, EPISODES)
                .filter(which::has)
                .flatMap(e -> IntStream.range(STARTS[e], STARTS[e + 1]))
                .mapToObj(i -> {
                    double[] row = new double[FEATURES];
                    Arrays.setAll(row, j -> features[i * FEATURES + j]);
                    return row;
                })
                .toArray(double[][]::new);
    }

    /** tr(Bᵀ P⁻¹ B) by the inverse. */
    private static double trace(double[] gradient, double[] precision) {
        double[] inverse = Cholesky.of(precision, FEATURES).orElseThrow().inverse();
        double trace = 0;
        for (int d = 0; d < DIMENSIONS; d++) {
            for (int j = 0; j < FEATURES; j++) {
                for (int k = 0; k < FEATURES; k++) {
                    trace += gradient[j * DIMENSIONS + d] * inverse[j * FEATURES + k] * gradient[k * DIMENSIONS + d];
                }
            }
        }
        return trace;
    }

    private double exactOfSteps(Which chosen) {
        double noise = 0;
        for (int e = 0; e < EPISODES; e++) {
            for (int i = STARTS[e] * DIMENSIONS; !chosen.has(e) && i < STARTS[e + 1] * DIMENSIONS; i++) {
                noise += (double) credits[i] * credits[i];
            }
        }
        return trace(gradient(e -> !chosen.has(e)), precision(steps(chosen))) + noise;
    }

    /** Whatever the directions in which episodes are compared. */
    @ParameterizedTest
    @ValueSource(ints = {1, FEATURES - 2, FEATURES})
    void errorsOfStepsAreExact(int directions) {
        StepUncertainty uncertainty = ofSteps(directions);

        assertThat(uncertainty.now()).isCloseTo(exactOfSteps(e -> false), within(1e-4));
        for (int e = 0; e < EPISODES; e++) {
            int one = e;
            assertThat(uncertainty.with(e)).isCloseTo(exactOfSteps(x -> x == one), within(1e-4));
        }
        uncertainty.choose(3);
        assertThat(uncertainty.now()).isCloseTo(exactOfSteps(e -> e == 3), within(1e-4));
        assertThat(uncertainty.with(1)).isCloseTo(exactOfSteps(e -> e == 3 || e == 1), within(1e-4));
        uncertainty.choose(1);
        assertThat(uncertainty.now()).isCloseTo(exactOfSteps(e -> e == 3 || e == 1), within(1e-4));
    }

    @Test
    void theBestEpisodeIsChosenInAllDirections() {
        StepUncertainty uncertainty = ofSteps(FEATURES);
        List<Integer> chosen = new ArrayList<>();
        while (chosen.size() < EPISODES) {
            int best = uncertainty.best();
            for (int e = 0; e < EPISODES; e++) {
                int other = e;
                if (!chosen.contains(e)) {
                    assertThat(exactOfSteps(x -> chosen.contains(x) || x == best))
                            .isLessThanOrEqualTo(exactOfSteps(x -> chosen.contains(x) || x == other) + 1e-6);
                }
            }
            assertThat(chosen).doesNotContain(best);
            uncertainty.choose(best);
            chosen.add(best);
        }
        assertThat(uncertainty.best()).isEqualTo(-1);
    }

    /** With two directions left out, the choice is about as good. */
    @Test
    void fewerDirectionsLeadToAboutTheSameChoice() {
        double best = IntStream.range(0, EPISODES)
                .mapToDouble(e -> exactOfSteps(x -> x == e))
                .min()
                .orElseThrow();
        int chosen = ofSteps(FEATURES - 2).best();
        assertThat(exactOfSteps(x -> x == chosen)).isLessThan(1.3 * best);
    }

    @Test
    void variancesOfStepsAreThoseOfEachEpisodeAlone() {
        double[] variances = ofSteps(3).variances();
        for (int e = 0; e < EPISODES; e++) {
            int one = e;
            double noise = 0;
            for (int i = STARTS[e] * DIMENSIONS; i < STARTS[e + 1] * DIMENSIONS; i++) {
                noise += (double) credits[i] * credits[i];
            }
            double exact = trace(gradient(x -> x == one), precision(new double[0][])) + noise;
            assertThat(variances[e]).isCloseTo(exact, within(1e-4));
        }
    }

    /** The mean square of the gradient's error over draws of weights and noise is the expected one. */
    @Test
    void errorsOfStepsAreThoseOfDraws() {
        StepUncertainty uncertainty = ofSteps(FEATURES);
        uncertainty.choose(1);
        double[] precision = precision(steps(e -> e == 1));
        double[] factor = Cholesky.of(precision.clone(), FEATURES).orElseThrow().inverse();
        double[] root = lowerRoot(factor);
        int draws = 40_000;
        double sum = 0;
        for (int draw = 0; draw < draws; draw++) {
            double[] weights = new double[FEATURES];
            for (int k = 0; k < FEATURES; k++) {
                double z = random.nextGaussian();
                for (int j = 0; j < FEATURES; j++) {
                    weights[j] += root[j * FEATURES + k] * z;
                }
            }
            double[] error = new double[DIMENSIONS];
            for (int e = 0; e < EPISODES; e++) {
                for (int i = STARTS[e]; e != 1 && i < STARTS[e + 1]; i++) {
                    double missed = random.nextGaussian();
                    for (int j = 0; j < FEATURES; j++) {
                        missed += features[i * FEATURES + j] * weights[j];
                    }
                    for (int d = 0; d < DIMENSIONS; d++) {
                        error[d] += missed * credits[i * DIMENSIONS + d];
                    }
                }
            }
            for (double value : error) {
                sum += value * value;
            }
        }
        // squares of Gaussian vectors have a relative deviation of at most √2 each: 0.7 % of their mean
        assertThat(sum / draws).isCloseTo(uncertainty.now(), within(0.03 * uncertainty.now()));
    }

    /** The lower triangle L with L Lᵀ = matrix. */
    private static double[] lowerRoot(double[] matrix) {
        double[] root = new double[matrix.length];
        for (int i = 0; i < FEATURES; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = matrix[i * FEATURES + j];
                for (int k = 0; k < j; k++) {
                    sum -= root[i * FEATURES + k] * root[j * FEATURES + k];
                }
                root[i * FEATURES + j] = i == j ? Math.sqrt(sum) : sum / root[j * FEATURES + j];
            }
        }
        return root;
    }

    private double exactOfSums(int... chosen) {
        double[] sums = sums();
        double[][] rows = Arrays.stream(chosen)
                .mapToObj(e -> Arrays.copyOfRange(sums, e * FEATURES, (e + 1) * FEATURES))
                .toArray(double[][]::new);
        return trace(gradient(e -> true), precision(rows));
    }

    @Test
    void errorsOfSumsAreExact() {
        SumUncertainty uncertainty = ofSums();

        assertThat(uncertainty.now()).isCloseTo(exactOfSums(), within(1e-6));
        for (int e = 0; e < EPISODES; e++) {
            assertThat(uncertainty.with(e)).isCloseTo(exactOfSums(e), within(1e-6));
        }
        uncertainty.choose(4);
        assertThat(uncertainty.now()).isCloseTo(exactOfSums(4), within(1e-6));
        assertThat(uncertainty.best()).isNotEqualTo(4);
        assertThat(uncertainty.with(0)).isCloseTo(exactOfSums(4, 0), within(1e-6));
        uncertainty.choose(0);
        assertThat(uncertainty.with(2)).isCloseTo(exactOfSums(4, 0, 2), within(1e-6));
    }

    @Test
    void variancesOfSumsAreThoseOfTheNumbers() {
        double[] inverse =
                Cholesky.of(precision(new double[0][]), FEATURES).orElseThrow().inverse();
        double[] sums = sums();
        double exact = 1;
        for (int j = 0; j < FEATURES; j++) {
            for (int k = 0; k < FEATURES; k++) {
                exact += sums[2 * FEATURES + j] * inverse[j * FEATURES + k] * sums[2 * FEATURES + k];
            }
        }
        assertThat(ofSums().variances()[2]).isCloseTo(exact, within(1e-6));
    }

    @Test
    void anyChoiceCanBeJudgedWhateverWasChosen() {
        for (GradientUncertainty uncertainty : List.of(ofSteps(FEATURES), ofSums())) {
            int first = uncertainty.best();
            uncertainty.choose(first);
            int second = uncertainty.best();
            uncertainty.choose(second);
            double chosen = uncertainty.now();
            uncertainty.choose(uncertainty.best());
            assertThat(uncertainty.withAll(first, second)).isCloseTo(chosen, within(1e-6 * chosen));
        }
    }

    @Test
    void anExcludedEpisodeIsNeverTheBest() {
        for (GradientUncertainty uncertainty : List.of(ofSteps(FEATURES), ofSums())) {
            int best = uncertainty.best();
            double before = uncertainty.now();
            uncertainty.exclude(best);
            assertThat(uncertainty.best()).isNotEqualTo(best);
            assertThat(uncertainty.now()).isEqualTo(before);
        }
    }
}
