package dev.pgkq.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class RegressionTest {
    private static final int STATES = 3;
    private static final int SAMPLES = 1100;

    private final RegressionTargets targets = targets();

    private static RegressionTargets targets() {
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        float[] observations = new float[SAMPLES * STATES];
        float[] values = new float[SAMPLES];
        float[] weights = new float[SAMPLES];
        for (int i = 0; i < observations.length; i++) {
            observations[i] = (float) random.nextGaussian();
        }
        for (int i = 0; i < SAMPLES; i++) {
            values[i] = observations[i * STATES] * observations[i * STATES + 1] + 2;
            weights[i] = (float) random.nextDouble();
        }
        return new RegressionTargets(SAMPLES, observations, values, weights);
    }

    private static Regression network(Workers workers) {
        return new Regression(STATES, 1e-3, RandomStream.of(1, Purpose.VALUE_INIT), workers);
    }

    private static IntFunction<RandomStream> shuffles(int iteration) {
        return epoch -> RandomStream.of(1, Purpose.VALUE_SHUFFLE, iteration, epoch);
    }

    private static int[] order(int count) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = (i * 7) % count;
        }
        return order;
    }

    private double loss(double[] theta, int[] order, double weight) {
        double sum = 0;
        for (int i : order) {
            double v = ReferenceNetwork.forward(
                    theta, ReferenceNetwork.row(targets.inputs(), i, STATES), STATES, 200, 100, 1)[0];
            sum += targets.weights()[i] * (v - targets.values()[i]) * (v - targets.values()[i]) / weight;
        }
        return sum;
    }

    @Test
    void lossAndGradientMatchTheDefinitionAndFiniteDifferences() {
        try (Workers workers = new Workers(2)) {
            Regression value = network(workers);
            for (int i = 0; i < value.parameters().length; i++) {
                value.parameters()[i] += (float) (0.02 * Math.sin(i));
            }
            int[] order = order(40);
            double weight = 17.5;
            float[] gradient = new float[value.parameters().length];
            double loss = value.loss(targets, order, 0, order.length, weight, gradient);
            double[] theta = ReferenceNetwork.toDouble(value.parameters());
            assertThat(loss).isCloseTo(loss(theta, order, weight), offset(1e-5 * loss));
            FiniteDifferences.check(gradient, theta, parameters -> loss(parameters, order, weight), 100, 20);
        }
    }

    @Test
    void theGradientIsTheSameBitsOnAnyNumberOfWorkers() {
        float[] one = gradient(1);
        assertThat(gradient(2)).isEqualTo(one);
        assertThat(gradient(7)).isEqualTo(one);
    }

    private float[] gradient(int threads) {
        try (Workers workers = new Workers(threads)) {
            Regression value = network(workers);
            float[] gradient = new float[value.parameters().length];
            value.loss(targets, order(SAMPLES), 0, SAMPLES, 1, gradient);
            return gradient;
        }
    }

    @Test
    void minibatchesTogetherHaveTheGradientOfTheWhole() {
        try (Workers workers = new Workers(1)) {
            Regression value = network(workers);
            int[] order = order(SAMPLES);
            float[] whole = new float[value.parameters().length];
            double loss = value.loss(targets, order, 0, SAMPLES, targets.totalWeight(), whole);
            double[] parts = new double[whole.length];
            double sum = 0;
            int[] cuts = {0, 100, 700, SAMPLES};
            for (int b = 0; b < 3; b++) {
                double share = (cuts[b + 1] - cuts[b]) / (double) SAMPLES;
                float[] part = new float[whole.length];
                sum += share * value.loss(targets, order, cuts[b], cuts[b + 1], targets.totalWeight() * share, part);
                for (int i = 0; i < part.length; i++) {
                    parts[i] += share * part[i];
                }
            }
            assertThat(sum).isCloseTo(loss, offset(1e-6 * loss));
            for (int i = 0; i < whole.length; i++) {
                assertThat(parts[i]).isCloseTo(whole[i], offset(1e-4));
            }
        }
    }

    @Test
    void samplesWithoutWeightDoNotMatterAndAllWithoutWeightChangeNothing() {
        try (Workers workers = new Workers(1)) {
            Regression value = network(workers);
            float[] before = value.parameters().clone();
            RegressionTargets weightless =
                    new RegressionTargets(SAMPLES, targets.inputs(), targets.values(), new float[SAMPLES]);
            assertThat(value.fit(weightless, new Minibatches(2, 4), shuffles(1)))
                    .isZero();
            assertThat(value.parameters()).isEqualTo(before);
            float[] one = new float[SAMPLES];
            one[3] = 1;
            RegressionTargets single = new RegressionTargets(SAMPLES, targets.inputs(), targets.values(), one);
            value.fit(single, new Minibatches(2, 40), shuffles(1));
            assertThat(value.parameters()).doesNotContain(Float.NaN);
        }
    }

    @Test
    void fittingLearnsAFunction() {
        try (Workers workers = new Workers(2)) {
            Regression value = network(workers);
            double first = value.fit(targets, new Minibatches(1, 4), shuffles(1));
            double last = 0;
            for (int iteration = 2; iteration <= 40; iteration++) {
                last = value.fit(targets, new Minibatches(5, 4), shuffles(iteration));
            }
            assertThat(last).isLessThan(0.02 * first);
            double[] predicted = value.predict(targets.inputs());
            double squares = 0;
            for (int i = 0; i < SAMPLES; i++) {
                squares += Math.pow(predicted[i] - targets.values()[i], 2) / SAMPLES;
            }
            // the values' own variance is 1
            assertThat(squares).isLessThan(0.1);
        }
    }

    /** Groups of 7, 0 and 12 rows. */
    private SumTargets sums() {
        int[] starts = {0, 7, 7, 19};
        float[] coefficients = new float[19];
        for (int i = 0; i < coefficients.length; i++) {
            coefficients[i] = (float) Math.pow(0.9, i % 7);
        }
        return new SumTargets(
                starts,
                Arrays.copyOf(targets.inputs(), 19 * STATES),
                coefficients,
                new float[] {3, 1, -2},
                new float[] {0.5f, 1, 2});
    }

    private static double sumLoss(double[] theta, SumTargets sums, double weight) {
        double loss = 0;
        for (int g = 0; g < sums.values().length; g++) {
            double sum = 0;
            for (int i = sums.starts()[g]; i < sums.starts()[g + 1]; i++) {
                sum += sums.coefficients()[i]
                        * ReferenceNetwork.forward(
                                theta, ReferenceNetwork.row(sums.inputs(), i, STATES), STATES, 200, 100, 1)[0];
            }
            loss += sums.weights()[g] * Math.pow(sum - sums.values()[g], 2) / weight;
        }
        return loss;
    }

    @Test
    void theGradientOfSumsMatchesTheDefinitionAndFiniteDifferences() {
        try (Workers workers = new Workers(2)) {
            Regression value = network(workers);
            for (int i = 0; i < value.parameters().length; i++) {
                value.parameters()[i] += (float) (0.02 * Math.sin(i));
            }
            SumTargets sums = sums();
            float[] gradient = new float[value.parameters().length];
            double loss = value.sumLoss(sums, 3.5, gradient);
            double[] theta = ReferenceNetwork.toDouble(value.parameters());
            assertThat(loss).isCloseTo(sumLoss(theta, sums, 3.5), offset(1e-5 * loss));
            FiniteDifferences.check(gradient, theta, parameters -> sumLoss(parameters, sums, 3.5), 100, 20);

            // a part of the groups, in another order
            SumTargets part = sums.of(new int[] {1, 2, 0}, 1, 3);
            assertThat(part.starts()).containsExactly(0, 12, 19);
            assertThat(part.values()).containsExactly(-2, 3);
            assertThat(value.sumLoss(part, 3.5, gradient) + 1 / 3.5).isCloseTo(loss, offset(1e-5 * loss));
        }
    }

    /** Sums over groups say what the function is, if there are enough of them. */
    @Test
    void aFunctionIsLearnedFromItsSums() {
        try (Workers workers = new Workers(2)) {
            Regression value = network(workers);
            int groups = SAMPLES / 5;
            int[] starts = new int[groups + 1];
            float[] totals = new float[groups];
            for (int i = 0; i < SAMPLES; i++) {
                starts[i / 5 + 1] = i + 1;
                totals[i / 5] += targets.values()[i];
            }
            float[] ones = new float[SAMPLES];
            Arrays.fill(ones, 1f);
            SumTargets sums = new SumTargets(starts, targets.inputs(), ones, totals, Arrays.copyOf(ones, groups));
            value.fitSums(sums, new Minibatches(200, 4), epoch -> {
                int[] order = order(groups);
                RandomStream.of(1, Purpose.CHECK, epoch).shuffle(order);
                return order;
            });
            double[] predicted = value.predict(targets.inputs());
            double squares = 0;
            for (int i = 0; i < SAMPLES; i++) {
                squares += Math.pow(predicted[i] - targets.values()[i], 2) / SAMPLES;
            }
            // the values' own variance is 1
            assertThat(squares).isLessThan(0.35);
        }
    }

    private static Regression standardized(Workers workers) {
        return new Regression(STATES, 1e-3, TargetUnits.STANDARDIZED, RandomStream.of(1, Purpose.VALUE_INIT), workers);
    }

    private RegressionTargets changed(double factor, double shift) {
        float[] values = new float[SAMPLES];
        for (int i = 0; i < SAMPLES; i++) {
            values[i] = (float) (factor * targets.values()[i] + shift);
        }
        return new RegressionTargets(SAMPLES, targets.inputs(), values, targets.weights());
    }

    @Test
    void withoutUnitsItIsZeroAndFitsNothing() {
        try (Workers workers = new Workers(1)) {
            Regression value = standardized(workers);
            float[] before = value.parameters().clone();
            assertThat(value.predict(targets.inputs())).containsOnly(0);
            assertThat(value.fit(targets, new Minibatches(2, 4), shuffles(1))).isZero();
            assertThat(value.parameters()).containsExactly(before);
            value.follow(new Units(7, 0));
            assertThat(value.predict(targets.inputs())).containsOnly(7);
        }
    }

    @Test
    void newUnitsLeaveTheFunctionAsItIs() {
        try (Workers workers = new Workers(1)) {
            Regression value = standardized(workers);
            value.follow(new Units(2, 1));
            value.fit(targets, new Minibatches(5, 4), shuffles(1));
            double[] before = value.predict(targets.inputs());
            value.follow(new Units(30, 9));
            double[] after = value.predict(targets.inputs());
            for (int i = 0; i < SAMPLES; i++) {
                assertThat(after[i]).isCloseTo(before[i], offset(1e-4));
            }
        }
    }

    /** Targets 2^k y in units 2^k are the same numbers for the network; other factors and offsets are up to rounding. */
    @Test
    void whatIsLearnedDoesNotDependOnTheUnitOfTheTargets() {
        try (Workers workers = new Workers(1)) {
            Regression plain = standardized(workers);
            plain.follow(new Units(2, 1));
            double loss = plain.fit(targets, new Minibatches(3, 4), shuffles(1));
            double[] expected = plain.predict(targets.inputs());
            for (double factor : new double[] {0x1p-40, 0x1p40}) {
                Regression other = standardized(workers);
                other.follow(new Units(2 * factor, factor));
                assertThat(other.fit(changed(factor, 0), new Minibatches(3, 4), shuffles(1)))
                        .isEqualTo(factor * factor * loss);
                double[] found = other.predict(targets.inputs());
                for (int i = 0; i < SAMPLES; i++) {
                    assertThat(found[i]).isEqualTo(factor * expected[i]);
                }
            }
            Regression shifted = standardized(workers);
            shifted.follow(new Units(2 * 3 + 1000, 3));
            shifted.fit(changed(3, 1000), new Minibatches(3, 4), shuffles(1));
            double[] found = shifted.predict(targets.inputs());
            for (int i = 0; i < SAMPLES; i++) {
                assertThat((found[i] - 1000) / 3).isCloseTo(expected[i], offset(2e-3));
            }
        }
    }

    /** Sums of two values each: the offset of a sum is that of its values times the sum of their coefficients. */
    @Test
    void sumsAreLearnedInTheUnitsOfTheirValues() {
        try (Workers workers = new Workers(1)) {
            int groups = SAMPLES / 2;
            int[] starts = new int[groups + 1];
            float[] coefficients = new float[SAMPLES];
            float[] sums = new float[groups];
            float[] shifted = new float[groups];
            float[] weights = new float[groups];
            for (int g = 0; g < groups; g++) {
                starts[g + 1] = 2 * g + 2;
                coefficients[2 * g] = 1;
                coefficients[2 * g + 1] = 0.5f;
                sums[g] = targets.values()[2 * g] + 0.5f * targets.values()[2 * g + 1];
                shifted[g] = 4 * sums[g] + 1.5f * 64;
                weights[g] = targets.weights()[g];
            }
            Regression plain = standardized(workers);
            plain.follow(new Units(2, 1));
            plain.fitSums(
                    new SumTargets(starts, targets.inputs(), coefficients, sums, weights),
                    new Minibatches(2, 4),
                    epoch -> order(groups));
            Regression other = standardized(workers);
            other.follow(new Units(2 * 4 + 64, 4));
            SumTargets changed = new SumTargets(starts, targets.inputs(), coefficients, shifted, weights);
            other.fitSums(changed, new Minibatches(2, 4), epoch -> order(groups));
            double[] expected = plain.predict(targets.inputs());
            double[] found = other.predict(targets.inputs());
            for (int i = 0; i < SAMPLES; i++) {
                assertThat((found[i] - 64) / 4).isCloseTo(expected[i], offset(1e-4));
            }
            double[] errors = other.sumErrors(changed);
            for (int g = 0; g < groups; g++) {
                assertThat(errors[g]).isCloseTo(found[2 * g] + 0.5 * found[2 * g + 1] - shifted[g], offset(1e-9));
            }
        }
    }
}
