package dev.pgkq.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.nn.FiniteDifferences;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.nn.ReferenceNetwork;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class SurrogateAscentTest {
    private static final int STATES = 4;
    private static final int ACTIONS = 2;
    private static final int SAMPLES = 24;
    private static final double EPSILON = 0.2;

    private static final SurrogateAscent.Settings SETTINGS =
            new SurrogateAscent.Settings(new Minibatches(1, 1), 1e-3, 0, Double.POSITIVE_INFINITY);

    private final Policy policy = Policy.gaussian(STATES, ACTIONS, 3);
    private final AdvantageBatch batch = batch();

    /** Samples whose ratios lie on all sides of the clipping bounds, with coefficients of both signs. */
    private AdvantageBatch batch() {
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        for (int i = 0; i < policy.parameters().length; i++) {
            policy.parameters()[i] += (float) (0.05 * random.nextGaussian());
        }
        float[] observations = new float[SAMPLES * STATES];
        float[] actions = new float[SAMPLES * ACTIONS];
        float[] oldLogProbs = new float[SAMPLES];
        float[] coefficients = new float[SAMPLES];
        for (int i = 0; i < observations.length; i++) {
            observations[i] = (float) random.nextGaussian();
        }
        for (int i = 0; i < actions.length; i++) {
            actions[i] = (float) (0.5 * random.nextGaussian());
        }
        double[] theta = ReferenceNetwork.toDouble(policy.parameters());
        for (int i = 0; i < SAMPLES; i++) {
            double now = logProb(theta, observations, actions, i);
            oldLogProbs[i] = (float) (now - (-0.5 + (i / 2) / 11.0));
            coefficients[i] = (i % 2 == 0 ? 1 : -1) * (0.5f + i / 24f);
        }
        return new AdvantageBatch(SAMPLES, observations, actions, oldLogProbs, coefficients);
    }

    private static double logProb(double[] theta, float[] observations, float[] actions, int sample) {
        double[] out = ReferenceNetwork.forward(
                theta, ReferenceNetwork.row(observations, sample, STATES), STATES, 200, 100, ACTIONS);
        double sum = 0;
        for (int i = 0; i < ACTIONS; i++) {
            double sigma = Math.exp(theta[theta.length - ACTIONS + i]);
            double z = (actions[sample * ACTIONS + i] - Math.tanh(out[i])) / sigma;
            sum += -0.5 * z * z - Math.log(sigma) - 0.5 * Math.log(2 * Math.PI);
        }
        return sum;
    }

    private double vpg(double[] theta) {
        double sum = 0;
        for (int i = 0; i < SAMPLES; i++) {
            sum += batch.coefficients()[i] * logProb(theta, batch.observations(), batch.actions(), i);
        }
        return sum;
    }

    private double ppo(double[] theta) {
        double sum = 0;
        for (int i = 0; i < SAMPLES; i++) {
            double a = batch.coefficients()[i];
            double q = Math.exp(logProb(theta, batch.observations(), batch.actions(), i) - batch.oldLogProbs()[i]);
            sum += Math.min(q * a, Math.min(Math.max(q, 1 - EPSILON), 1 + EPSILON) * a);
        }
        return sum;
    }

    private static int[] order() {
        int[] order = new int[SAMPLES];
        Arrays.setAll(order, i -> i);
        return order;
    }

    @Test
    void vpgGradientMatchesFiniteDifferences() {
        checkGradient(new Surrogate.LogLikelihood(), this::vpg, 0);
    }

    @Test
    void ppoGradientMatchesFiniteDifferencesWithSamplesInsideAndBeyondTheClip() {
        // log-ratios −0.5, −0.41, … 0.5: four lie beyond log 1.2 with A > 0, four below log 0.8 with A < 0
        checkGradient(new Surrogate.Clipped(EPSILON), this::ppo, 8);
    }

    private void checkGradient(
            Surrogate surrogate, java.util.function.ToDoubleFunction<double[]> objective, int clipped) {
        try (Workers workers = new Workers(1)) {
            SurrogateAscent ascent = new SurrogateAscent(policy, surrogate, SETTINGS, 1, workers);
            float[] gradient = new float[policy.parameters().length];
            ascent.gradient(batch, order(), 0, SAMPLES, gradient);
            assertThat(ascent.measure(batch)[2]).isEqualTo(clipped);
            FiniteDifferences.check(
                    gradient, ReferenceNetwork.toDouble(policy.parameters()), objective, 200, ACTIONS + 20);
        }
    }

    @Test
    void atTheOldPolicyPpoAndVpgPullTheSameWay() {
        AdvantageBatch fresh = new AdvantageBatch(
                SAMPLES, batch.observations(), batch.actions(), currentLogProbs(), batch.coefficients());
        try (Workers workers = new Workers(1)) {
            float[] vpg = new float[policy.parameters().length];
            float[] ppo = new float[policy.parameters().length];
            new SurrogateAscent(policy, new Surrogate.LogLikelihood(), SETTINGS, 1, workers)
                    .gradient(fresh, order(), 0, SAMPLES, vpg);
            new SurrogateAscent(policy, new Surrogate.Clipped(EPSILON), SETTINGS, 1, workers)
                    .gradient(fresh, order(), 0, SAMPLES, ppo);
            assertThat(ppo).usingComparatorWithPrecision(1e-4f).containsExactly(vpg);
        }
    }

    private float[] currentLogProbs() {
        float[] logProbs = new float[SAMPLES];
        double[] theta = ReferenceNetwork.toDouble(policy.parameters());
        for (int i = 0; i < SAMPLES; i++) {
            logProbs[i] = (float) logProb(theta, batch.observations(), batch.actions(), i);
        }
        return logProbs;
    }

    @Test
    void minibatchDirectionsAverageToMinusTheGradientOfTheWholeObjective() {
        double bonus = 0.37;
        var settings = new SurrogateAscent.Settings(new Minibatches(1, 3), 1e-3, bonus, Double.POSITIVE_INFINITY);
        try (Workers workers = new Workers(1)) {
            SurrogateAscent ascent = new SurrogateAscent(policy, new Surrogate.Clipped(EPSILON), settings, 1, workers);
            double[] average = new double[policy.parameters().length];
            int[] cuts = {0, 5, 12, SAMPLES};
            for (int b = 0; b < 3; b++) {
                float[] direction = new float[average.length];
                ascent.gradient(batch, order(), cuts[b], cuts[b + 1], direction);
                double scale = SAMPLES / (double) (cuts[b + 1] - cuts[b]);
                double norm = ascent.addEntropy(direction, scale);
                multiply(direction, ascent.factor(norm, scale));
                assertThat(norm).isCloseTo(norm(direction), offset(1e-4 * norm));
                for (int i = 0; i < average.length; i++) {
                    average[i] += direction[i] / scale;
                }
            }
            float[] negative = new float[average.length];
            for (int i = 0; i < average.length; i++) {
                negative[i] = (float) -average[i];
            }
            FiniteDifferences.check(
                    negative,
                    ReferenceNetwork.toDouble(policy.parameters()),
                    theta -> ppo(theta) + bonus * (theta[theta.length - 1] + theta[theta.length - 2]),
                    100,
                    ACTIONS + 20);
        }
    }

    @Test
    void aGradientThatIsTooLongKeepsItsDirectionAndGetsTheLengthAllowed() {
        try (Workers workers = new Workers(1)) {
            float[] free = direction(workers, Double.POSITIVE_INFINITY);
            double length = norm(free);
            float[] bounded = direction(workers, length / 7);
            assertThat(norm(bounded)).isCloseTo(length / 7, offset(1e-5 * length));
            for (int i = 0; i < free.length; i++) {
                assertThat((double) bounded[i]).isCloseTo(free[i] / 7, offset(1e-6 * length));
            }
            assertThat(direction(workers, 2 * length)).isEqualTo(free);
        }
    }

    private float[] direction(Workers workers, double maxGradientNorm) {
        var settings = new SurrogateAscent.Settings(new Minibatches(1, 2), 1e-3, 0.01, maxGradientNorm);
        SurrogateAscent ascent = new SurrogateAscent(policy, new Surrogate.LogLikelihood(), settings, 1, workers);
        float[] direction = new float[policy.parameters().length];
        ascent.gradient(batch, order(), 0, SAMPLES / 2, direction);
        multiply(direction, ascent.factor(ascent.addEntropy(direction, 2), 2));
        return direction;
    }

    private static void multiply(float[] vector, float factor) {
        for (int i = 0; i < vector.length; i++) {
            vector[i] *= factor;
        }
    }

    private static double norm(float[] vector) {
        double squares = 0;
        for (float value : vector) {
            squares += (double) value * value;
        }
        return Math.sqrt(squares);
    }

    @Test
    void whatIsReportedIsMeasuredAfterTheLastUpdate() {
        AdvantageBatch fresh = new AdvantageBatch(
                SAMPLES, batch.observations(), batch.actions(), currentLogProbs(), batch.coefficients());
        try (Workers workers = new Workers(1)) {
            var settings = new SurrogateAscent.Settings(new Minibatches(1, 1), 1e-2, 0, Double.POSITIVE_INFINITY);
            var step =
                    new SurrogateAscent(policy, new Surrogate.LogLikelihood(), settings, 1, workers).improve(fresh, 1);
            double[] theta = ReferenceNetwork.toDouble(policy.parameters());
            double divergence = 0;
            double objective = 0;
            for (int i = 0; i < SAMPLES; i++) {
                double logRatio = logProb(theta, fresh.observations(), fresh.actions(), i) - fresh.oldLogProbs()[i];
                divergence -= logRatio / SAMPLES;
                objective += fresh.coefficients()[i] * logRatio;
            }
            assertThat(Math.abs(divergence)).isGreaterThan(1e-3);
            assertThat(step.divergence()).isCloseTo(divergence, offset(1e-4 * Math.abs(divergence) + 1e-6));
            assertThat(step.objective()).isCloseTo(objective, offset(1e-4 * Math.abs(objective)));
        }
    }

    @Test
    void improvingRaisesTheObjective() {
        double before = ppo(ReferenceNetwork.toDouble(policy.parameters()));
        try (Workers workers = new Workers(2)) {
            var settings = new SurrogateAscent.Settings(new Minibatches(10, 2), 1e-3, 0, Double.POSITIVE_INFINITY);
            var step =
                    new SurrogateAscent(policy, new Surrogate.Clipped(EPSILON), settings, 1, workers).improve(batch, 1);
            assertThat(step.gradientNorm()).isPositive();
        }
        assertThat(ppo(ReferenceNetwork.toDouble(policy.parameters()))).isGreaterThan(before + 0.5);
    }

    @Test
    void theEntropyBonusAloneWidensThePolicyAndTouchesNothingElse() {
        AdvantageBatch nothing = new AdvantageBatch(
                SAMPLES, batch.observations(), batch.actions(), batch.oldLogProbs(), new float[SAMPLES]);
        float[] before = policy.parameters().clone();
        try (Workers workers = new Workers(1)) {
            var settings = new SurrogateAscent.Settings(new Minibatches(1, 1), 1e-3, 0.01, Double.POSITIVE_INFINITY);
            new SurrogateAscent(policy, new Surrogate.LogLikelihood(), settings, 1, workers).improve(nothing, 1);
        }
        int network = before.length - ACTIONS;
        assertThat(Arrays.copyOf(policy.parameters(), network)).isEqualTo(Arrays.copyOf(before, network));
        for (int i = network; i < before.length; i++) {
            assertThat(policy.parameters()[i]).isCloseTo(before[i] + 1e-3f, offset(1e-6f));
        }
    }

    @Test
    void theClippedSurrogateIsItsDefinition() {
        Surrogate clipped = new Surrogate.Clipped(EPSILON);
        for (double logRatio = -1; logRatio <= 1; logRatio += 0.013) {
            for (double a : new double[] {-2, 0, 0.7}) {
                double q = Math.exp(logRatio);
                double expected = Math.min(q * a, Math.min(Math.max(q, 1 - EPSILON), 1 + EPSILON) * a);
                assertThat(clipped.value(logRatio, a)).isCloseTo(expected, offset(1e-12));
            }
        }
    }

    static final List<Surrogate> SURROGATES = List.of(new Surrogate.LogLikelihood(), new Surrogate.Clipped(EPSILON));

    @ParameterizedTest
    @FieldSource("SURROGATES")
    void weightsGoInsideTheCoefficientForBothSurrogates(Surrogate surrogate) {
        for (double logRatio = -1; logRatio <= 1; logRatio += 0.1) {
            for (double a : new double[] {-2, 0, 0.7}) {
                assertThat(surrogate.value(logRatio, 3 * a)).isCloseTo(3 * surrogate.value(logRatio, a), offset(1e-12));
                assertThat(surrogate.slope(logRatio, 3 * a)).isCloseTo(3 * surrogate.slope(logRatio, a), offset(1e-12));
            }
        }
    }
}
