package dev.pgkq.gp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.linalg.Cholesky;
import dev.pgkq.nn.Adam;
import dev.pgkq.nn.FiniteDifferences;
import dev.pgkq.nn.InputScale;
import dev.pgkq.nn.ReferenceNetwork;
import dev.pgkq.nn.TargetUnits;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeepKernelTest {
    private static final int INPUTS = 4;
    private static final int COUNT = 30;
    private static final DeepKernel.Settings SETTINGS = new DeepKernel.Settings(0.3, -1.5, 1, 20, 40, 3e-3);

    private final float[] inputs = inputs();
    private final double[] values = values();

    private static float[] inputs() {
        RandomStream random = RandomStream.of(2, Purpose.CHECK);
        float[] inputs = new float[COUNT * INPUTS];
        for (int i = 0; i < inputs.length; i++) {
            inputs[i] = (float) random.nextGaussian();
        }
        return inputs;
    }

    private double[] values() {
        double[] values = new double[COUNT];
        for (int i = 0; i < COUNT; i++) {
            values[i] = Math.sin(2 * inputs[i * INPUTS]) + inputs[i * INPUTS + 1];
        }
        return values;
    }

    private static DeepKernel kernel(Workers workers) {
        return new DeepKernel(INPUTS, SETTINGS, RandomStream.of(1, Purpose.KERNEL_INIT), workers);
    }

    /** yᵀ k⁻¹ y + log det k of sums y over groups of points, from the definition, by Gaussian elimination in doubles. */
    private double loss(double[] theta, int[] starts, double[] coefficients, double[] sums) {
        int n = sums.length;
        int network = theta.length - 2;
        double[][] f = new double[coefficients.length][];
        for (int i = 0; i < f.length; i++) {
            f[i] = ReferenceNetwork.forward(
                    theta, ReferenceNetwork.row(inputs, i, INPUTS), INPUTS, INPUTS, INPUTS, DeepKernel.FEATURES);
        }
        double[][] a = new double[n][n + 1];
        for (int g = 0; g < n; g++) {
            for (int h = 0; h < n; h++) {
                for (int i = starts[g]; i < starts[g + 1]; i++) {
                    for (int j = starts[h]; j < starts[h + 1]; j++) {
                        double squares = 0;
                        for (int k = 0; k < DeepKernel.FEATURES; k++) {
                            squares += Math.pow(f[i][k] - f[j][k], 2);
                        }
                        a[g][h] += coefficients[i] * coefficients[j] * Math.exp(theta[network] - squares / 20);
                    }
                }
            }
            a[g][g] += 1e-5 + Math.exp(theta[network + 1]);
            a[g][n] = sums[g];
        }
        double logDeterminant = 0;
        for (int j = 0; j < n; j++) {
            logDeterminant += Math.log(a[j][j]);
            for (int i = j + 1; i < n; i++) {
                double share = a[i][j] / a[j][j];
                for (int k = j; k <= n; k++) {
                    a[i][k] -= share * a[j][k];
                }
            }
        }
        double[] solution = new double[n];
        double quadratic = 0;
        for (int i = n - 1; i >= 0; i--) {
            double sum = a[i][n];
            for (int k = i + 1; k < n; k++) {
                sum -= a[i][k] * solution[k];
            }
            solution[i] = sum / a[i][i];
            quadratic += solution[i] * sums[i];
        }
        return quadratic + logDeterminant;
    }

    @Test
    void lossAndGradientMatchTheDefinitionAndFiniteDifferences() {
        try (Workers workers = new Workers(1)) {
            DeepKernel kernel = kernel(workers);
            // no bias may be 0: a unit whose inputs are all 0 would sit on the kink of ReLU
            for (int i = 0; i < kernel.parameters().length; i++) {
                kernel.parameters()[i] += (float) (0.02 * Math.sin(i + 1));
            }
            int[] single = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
            double[] ones = new double[10];
            Arrays.fill(ones, 1);
            check(kernel, single, ones, Arrays.copyOf(values, 10));
            double[] coefficients = {1, 0.5, -2, 1, 1, 0.3, 0.7, 1, 1.5, 0.25};
            check(kernel, new int[] {0, 4, 5, 10}, coefficients, new double[] {2, -1, 0.5});
        }
    }

    private void check(DeepKernel kernel, int[] starts, double[] coefficients, double[] sums) {
        float[] gradient = new float[kernel.parameters().length];
        SumLikelihood likelihood = kernel.likelihood(coefficients.length, sums.length);
        for (int g = 0; g < sums.length; g++) {
            likelihood.addGroup(sums[g], starts[g + 1] - starts[g], starts[g + 1] - starts[g]);
            for (int i = starts[g]; i < starts[g + 1]; i++) {
                likelihood.addPoint(inputs, i, coefficients[i]);
            }
        }
        double loss = likelihood.loss(gradient);
        double[] theta = ReferenceNetwork.toDouble(kernel.parameters());
        assertThat(loss).isCloseTo(loss(theta, starts, coefficients, sums), offset(1e-5 * Math.abs(loss)));
        FiniteDifferences.check(gradient, theta, parameters -> loss(parameters, starts, coefficients, sums), 1000, 1);
    }

    /** The mean over all ways to draw three of five points and two of four is what all points give. */
    @Test
    void drawnPointsEstimateTheMatrixOfTheSumsWithoutBias() {
        double[] coefficients = {1, 0.5, 2, 1, 1, 0.3, 0.7, 1, 1.5};
        int[] lengths = {5, 4};
        try (Workers workers = new Workers(1)) {
            DeepKernel kernel = kernel(workers);
            List<int[]> first = subsets(0, 5, 3);
            List<int[]> second = subsets(5, 9, 2);
            double[] mean = new double[4];
            for (int[] one : first) {
                for (int[] other : second) {
                    double[] estimate = covariance(kernel, new int[][] {one, other}, lengths, coefficients);
                    for (int i = 0; i < mean.length; i++) {
                        mean[i] += estimate[i] / (first.size() * second.size());
                    }
                }
            }
            int[][] all = {{0, 1, 2, 3, 4}, {5, 6, 7, 8}};
            assertThat(first).hasSize(10);
            assertThat(second).hasSize(6);
            assertThat(mean).containsExactly(covariance(kernel, all, lengths, coefficients), offset(1e-9));
        }
    }

    private double[] covariance(DeepKernel kernel, int[][] drawn, int[] lengths, double[] coefficients) {
        int points = Arrays.stream(drawn).mapToInt(group -> group.length).sum();
        SumLikelihood likelihood = kernel.likelihood(points, drawn.length);
        for (int g = 0; g < drawn.length; g++) {
            likelihood.addGroup(0, drawn[g].length, lengths[g]);
            for (int i : drawn[g]) {
                likelihood.addPoint(inputs, i, coefficients[i]);
            }
        }
        return likelihood.covariance();
    }

    private static List<int[]> subsets(int from, int to, int size) {
        return IntStream.range(0, 1 << (to - from))
                .filter(bits -> Integer.bitCount(bits) == size)
                .mapToObj(bits -> IntStream.range(from, to)
                        .filter(i -> (bits >> (i - from) & 1) == 1)
                        .toArray())
                .toList();
    }

    /** Sums drawn from a process that looks at one of the inputs only: learning them makes them likelier. */
    @Test
    void learningSumsRaisesTheirLikelihood() {
        try (Workers workers = new Workers(1)) {
            DeepKernel kernel = kernel(workers);
            int[] starts = {0, 3, 3, 9, 12, 14, 20, 23, 27, COUNT};
            float[] ones = new float[COUNT];
            Arrays.fill(ones, 1f);
            double[] sums = new double[starts.length - 1];
            for (int g = 0; g < sums.length; g++) {
                for (int i = starts[g]; i < starts[g + 1]; i++) {
                    sums[g] += values[i];
                }
            }
            double first = kernel.fitSums(starts, inputs, ones, sums, RandomStream.of(1, Purpose.CHECK, 0))
                    .logLikelihood();
            double last = 0;
            for (int i = 1; i < 20; i++) {
                last = kernel.fitSums(starts, inputs, ones, sums, RandomStream.of(1, Purpose.CHECK, i))
                        .logLikelihood();
            }
            assertThat(last).isGreaterThan(first + 0.1);
        }
    }

    @Test
    void learningRaisesTheLikelihood() {
        try (Workers workers = new Workers(1)) {
            DeepKernel kernel = kernel(workers);
            double first = kernel.fit(inputs, values, RandomStream.of(1, Purpose.CHECK, 0))
                    .logLikelihood();
            double last = 0;
            for (int i = 1; i < 20; i++) {
                last = kernel.fit(inputs, values, RandomStream.of(1, Purpose.CHECK, i))
                        .logLikelihood();
            }
            assertThat(last).isGreaterThan(first + 0.2);
        }
    }

    /** The likelihood is the same whatever unit rewards are given in. */
    @Test
    void theUnitOfTheValuesDoesNotMatter() {
        try (Workers workers = new Workers(1)) {
            DeepKernel one = kernel(workers);
            DeepKernel other = kernel(workers);
            double[] thousandfold = values.clone();
            for (int i = 0; i < COUNT; i++) {
                thousandfold[i] *= 1024;
            }
            one.fit(inputs, values, RandomStream.of(1, Purpose.CHECK));
            other.fit(inputs, thousandfold, RandomStream.of(1, Purpose.CHECK));
            assertThat(other.parameters()).isEqualTo(one.parameters());
        }
    }

    /** e^30 everywhere and 1e-5 more on the diagonal is singular in doubles: only jitter makes it definite. */
    @Test
    void equalPointsWithHardlyAnyNoiseAreSavedByJitter() {
        try (Workers workers = new Workers(1)) {
            DeepKernel kernel = new DeepKernel(
                    INPUTS,
                    new DeepKernel.Settings(30, -40, 1, COUNT, 10, 3e-4),
                    RandomStream.of(1, Purpose.KERNEL_INIT),
                    workers);
            double[] singular = new double[COUNT * COUNT];
            Arrays.fill(singular, Math.exp(30));
            for (int i = 0; i < COUNT; i++) {
                singular[i * COUNT + i] += 1e-5;
            }
            assertThat(Cholesky.of(singular, COUNT)).isEmpty();
            DeepKernel.Fit fit = kernel.fit(new float[COUNT * INPUTS], values, RandomStream.of(1, Purpose.CHECK));
            assertThat(fit.skipped()).isZero();
            assertThat(fit.logLikelihood()).isFinite();
            for (float parameter : kernel.parameters()) {
                assertThat(parameter).isFinite();
            }
        }
    }

    @Test
    void whatIsNotPositiveDefiniteIsSkippedAndCountedAndChangesNothing() {
        try (Workers workers = new Workers(1)) {
            DeepKernel kernel = kernel(workers);
            float[] before = kernel.parameters().clone();
            float[] broken = inputs.clone();
            Arrays.fill(broken, Float.NaN);
            DeepKernel.Fit fit = kernel.fit(broken, values, RandomStream.of(1, Purpose.CHECK));
            assertThat(fit.skipped()).isEqualTo(40);
            assertThat(fit.logLikelihood()).isNaN();
            assertThat(kernel.parameters()).isEqualTo(before);
        }
    }

    @Test
    void withoutValuesThereIsNothingToLearn() {
        try (Workers workers = new Workers(1)) {
            DeepKernel kernel = kernel(workers);
            float[] before = kernel.parameters().clone();
            kernel.fit(inputs, new double[COUNT], RandomStream.of(1, Purpose.CHECK));
            kernel.fit(new float[0], new double[0], RandomStream.of(1, Purpose.CHECK));
            assertThat(kernel.parameters()).isEqualTo(before);
        }
    }

    private static DeepKernel raw(Workers workers, KernelUpdates updates) {
        DeepKernel.Settings settings = new DeepKernel.Settings(0.3, -1.5, 1, 20, updates, 3e-3);
        return new DeepKernel(
                INPUTS, InputScale.NONE, settings, TargetUnits.RAW, RandomStream.of(1, Purpose.KERNEL_INIT), workers);
    }

    private double[] times(double factor) {
        return Arrays.stream(values).map(value -> factor * value).toArray();
    }

    private double logMeanSquare() {
        double squares = 0;
        for (double value : values) {
            squares += value * value;
        }
        return Math.log(squares / COUNT);
    }

    /** The first fit of raw values is that of scaled ones: λ, σ and the log-likelihood differ by what the unit adds to them. */
    @Test
    void rawValuesAreTheSameProblemInTheirOwnUnit() {
        for (double factor : new double[] {1, 300, 1e20}) {
            try (Workers workers = new Workers(1)) {
                DeepKernel scaled = kernel(workers);
                DeepKernel raw = raw(workers, new KernelUpdates.Fixed(40));
                double logUnit = logMeanSquare() + 2 * Math.log(factor);
                DeepKernel.Fit ofScaled = scaled.fit(inputs, values, RandomStream.of(1, Purpose.CHECK));
                DeepKernel.Fit ofRaw = raw.fit(inputs, times(factor), RandomStream.of(1, Purpose.CHECK));
                // 1e-5 is the same in any unit
                assertThat(raw.scale()).isCloseTo(scaled.scale() + logUnit, offset(1e-3));
                assertThat(raw.noise()).isCloseTo(scaled.noise() + logUnit, offset(1e-3));
                assertThat(ofRaw.logLikelihood()).isCloseTo(ofScaled.logLikelihood() - logUnit / 2, offset(1e-3));
                assertThat(ofRaw.skipped()).isZero();
            }
        }
    }

    /** Later values are taken as they are: the kernel has to learn that they have become larger. */
    @Test
    void onlyTheFirstRawValuesMoveTheStart() {
        try (Workers workers = new Workers(1)) {
            DeepKernel kernel = raw(workers, new KernelUpdates.Fixed(40));
            kernel.fit(inputs, values, RandomStream.of(1, Purpose.CHECK, 1));
            double scale = kernel.scale();
            double noise = kernel.noise();
            kernel.fit(inputs, times(1e3), RandomStream.of(1, Purpose.CHECK, 2));
            double farthest = 40 * 3e-3;
            assertThat(kernel.scale()).isCloseTo(scale, offset(1.5 * farthest)).isGreaterThan(scale);
            assertThat(kernel.noise()).isCloseTo(noise, offset(1.5 * farthest)).isGreaterThan(noise);
        }
    }

    /** Nothing can be learned from zeros or from a minibatch that is skipped, so the next values are still the first. */
    @Test
    void rawValuesStartWhenThereIsSomethingToLearn() {
        try (Workers workers = new Workers(1)) {
            DeepKernel late = raw(workers, new KernelUpdates.Fixed(40));
            DeepKernel atOnce = raw(workers, new KernelUpdates.Fixed(40));
            float[] start = late.parameters().clone();
            late.fit(inputs, new double[COUNT], RandomStream.of(1, Purpose.CHECK, 1));
            late.fit(new float[INPUTS], new double[] {7}, RandomStream.of(1, Purpose.CHECK, 1));
            assertThat(late.parameters()).isEqualTo(start);
            float[] broken = inputs.clone();
            Arrays.fill(broken, Float.NaN);
            assertThat(late.fit(broken, times(1e9), RandomStream.of(1, Purpose.CHECK, 1))
                            .skipped())
                    .isEqualTo(40);
            late.fit(inputs, values, RandomStream.of(1, Purpose.CHECK, 2));
            atOnce.fit(inputs, values, RandomStream.of(1, Purpose.CHECK, 2));
            assertThat(late.parameters()).isEqualTo(atOnce.parameters());
        }
    }

    @Test
    void onlyARawKernelThatHasLearnedNothingAwaitsAReward() {
        try (Workers workers = new Workers(1)) {
            DeepKernel raw = raw(workers, new KernelUpdates.Fixed(40));
            assertThat(raw.awaitsUnit(new double[3])).isTrue();
            assertThat(raw.awaitsUnit(new double[] {0, 0, 1e-9})).isFalse();
            assertThat(kernel(workers).awaitsUnit(new double[3])).isFalse();
            raw.fit(inputs, values, RandomStream.of(1, Purpose.CHECK));
            assertThat(raw.awaitsUnit(new double[3])).isFalse();
        }
    }

    /** Stopped before or after its first values, a kernel goes on with the same bits. */
    @Test
    void aRestoredKernelOfRawValuesGoesOnWithTheSameBits() {
        for (int stop : new int[] {1, 2, 3}) {
            try (Workers workers = new Workers(1)) {
                DeepKernel uninterrupted = raw(workers, new KernelUpdates.Pass());
                DeepKernel before = raw(workers, new KernelUpdates.Pass());
                for (int i = 0; i < 4; i++) {
                    lesson(uninterrupted, i);
                }
                for (int i = 0; i < stop; i++) {
                    lesson(before, i);
                }
                Snapshot.Builder saved = new Snapshot.Builder();
                before.save("kernel", saved);
                DeepKernel after = raw(workers, new KernelUpdates.Pass());
                after.restore("kernel", saved.build());
                for (int i = stop; i < 4; i++) {
                    lesson(after, i);
                }
                assertThat(after.parameters()).isEqualTo(uninterrupted.parameters());
            }
        }
    }

    /** Zeros, then values in a unit that changes. */
    private void lesson(DeepKernel kernel, int iteration) {
        kernel.fit(inputs, times(Math.pow(10, iteration) - 1), RandomStream.of(1, Purpose.CHECK, iteration));
    }

    /** 30 points, at most 8 at a time, are four minibatches of 7, 8, 7 and 8 points: none is left out or used twice. */
    @Test
    void aPassUsesEveryPointOnceInMinibatchesOfNearlyEqualSize() {
        try (Workers workers = new Workers(1)) {
            DeepKernel.Settings settings = new DeepKernel.Settings(0.3, -1.5, 1, 8, new KernelUpdates.Pass(), 3e-3);
            DeepKernel kernel = new DeepKernel(INPUTS, settings, RandomStream.of(1, Purpose.KERNEL_INIT), workers);
            DeepKernel expected = new DeepKernel(INPUTS, settings, RandomStream.of(1, Purpose.KERNEL_INIT), workers);
            int[] order = IntStream.range(0, COUNT).toArray();
            RandomStream.of(1, Purpose.CHECK).shuffle(order);
            double unit = Math.exp(logMeanSquare() / 2);
            float[] gradient = new float[expected.parameters().length];
            Adam adam = new Adam(gradient.length, 3e-3);
            double logLikelihood = 0;
            int at = 0;
            for (int size : new int[] {7, 8, 7, 8}) {
                SumLikelihood minibatch = expected.likelihood(size, size);
                for (int i = at; i < at + size; i++) {
                    minibatch.addGroup(values[order[i]] / unit, 1, 1);
                    minibatch.addPoint(inputs, order[i], 1);
                }
                logLikelihood -= (minibatch.loss(gradient) / size + Math.log(2 * Math.PI)) / 2;
                adam.descend(expected.parameters(), gradient);
                at += size;
            }
            DeepKernel.Fit fit = kernel.fit(inputs, values, RandomStream.of(1, Purpose.CHECK));
            assertThat(fit.logLikelihood()).isCloseTo(logLikelihood / 4, offset(1e-6));
            assertThat(kernel.parameters()).containsExactly(expected.parameters(), offset(1e-5f));
        }
    }

    @Test
    void aPassOverSumsHasAsManyMinibatchesAsItsStepsNeed() {
        try (Workers workers = new Workers(1)) {
            float[] ones = new float[COUNT];
            Arrays.fill(ones, 1f);
            int[] starts = {0, 10, 20, COUNT};
            float[] broken = inputs.clone();
            Arrays.fill(broken, Float.NaN);
            DeepKernel.Fit fit = raw(workers, new KernelUpdates.Pass())
                    .fitSums(starts, broken, ones, new double[] {1, 2, 3}, RandomStream.of(1, Purpose.CHECK));
            // 30 steps, 20 at a time
            assertThat(fit.skipped()).isEqualTo(2);
        }
    }
}
