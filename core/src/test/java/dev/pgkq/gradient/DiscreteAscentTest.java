package dev.pgkq.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.env.ActionSpace;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.nn.FiniteDifferences;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.nn.ReferenceNetwork;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** The objective of a policy step for discrete actions, one of three and one of two, against finite differences. */
class DiscreteAscentTest {
    private static final int STATES = 4;
    private static final int SIZE = 5;
    private static final int SAMPLES = 24;
    private static final double EPSILON = 0.2;
    private static final double BONUS = 0.37;

    private final Policy policy =
            Policy.initialize(new EnvironmentSpec(STATES, new ActionSpace.Discrete(3, 2), 1, 1), 3);
    private final AdvantageBatch batch = batch();

    /** Samples whose ratios lie on all sides of the clipping bounds, with coefficients of both signs. */
    private AdvantageBatch batch() {
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        for (int i = 0; i < policy.parameters().length; i++) {
            policy.parameters()[i] += (float) (0.05 * random.nextGaussian());
        }
        float[] observations = new float[SAMPLES * STATES];
        float[] actions = new float[SAMPLES * SIZE];
        float[] oldLogProbs = new float[SAMPLES];
        float[] coefficients = new float[SAMPLES];
        for (int i = 0; i < observations.length; i++) {
            observations[i] = (float) random.nextGaussian();
        }
        double[] theta = ReferenceNetwork.toDouble(policy.parameters());
        for (int i = 0; i < SAMPLES; i++) {
            actions[i * SIZE + random.nextInt(3)] = 1;
            actions[i * SIZE + 3 + random.nextInt(2)] = 1;
            oldLogProbs[i] = (float) (logProb(theta, observations, actions, i) - (-0.5 + (i / 2) / 11.0));
            coefficients[i] = (i % 2 == 0 ? 1 : -1) * (0.5f + i / 24f);
        }
        return new AdvantageBatch(SAMPLES, observations, actions, oldLogProbs, coefficients);
    }

    private static double[] probabilities(double[] theta, float[] observations, int sample) {
        double[] p = ReferenceNetwork.forward(
                theta, ReferenceNetwork.row(observations, sample, STATES), STATES, 200, 100, SIZE);
        double three = Math.exp(p[0]) + Math.exp(p[1]) + Math.exp(p[2]);
        double two = Math.exp(p[3]) + Math.exp(p[4]);
        Arrays.setAll(p, j -> Math.exp(p[j]) / (j < 3 ? three : two));
        return p;
    }

    private static double logProb(double[] theta, float[] observations, float[] actions, int sample) {
        double[] p = probabilities(theta, observations, sample);
        double sum = 0;
        for (int j = 0; j < SIZE; j++) {
            sum += actions[sample * SIZE + j] * Math.log(p[j]);
        }
        return sum;
    }

    private double logRatio(double[] theta, int sample) {
        return logProb(theta, batch.observations(), batch.actions(), sample) - batch.oldLogProbs()[sample];
    }

    private double vpg(double[] theta) {
        double sum = 0;
        for (int i = 0; i < SAMPLES; i++) {
            sum += batch.coefficients()[i] * logRatio(theta, i);
        }
        return sum;
    }

    private double ppo(double[] theta) {
        double sum = 0;
        for (int i = 0; i < SAMPLES; i++) {
            double a = batch.coefficients()[i];
            double q = Math.exp(logRatio(theta, i));
            sum += Math.min(q * a, Math.min(Math.max(q, 1 - EPSILON), 1 + EPSILON) * a);
        }
        return sum;
    }

    /** The mean over the states of the samples. */
    private double entropy(double[] theta) {
        double sum = 0;
        for (int i = 0; i < SAMPLES; i++) {
            for (double p : probabilities(theta, batch.observations(), i)) {
                sum -= p * Math.log(p) / SAMPLES;
            }
        }
        return sum;
    }

    private static SurrogateAscent.Settings settings(double bonus) {
        return new SurrogateAscent.Settings(new Minibatches(1, 1), 1e-3, bonus, Double.POSITIVE_INFINITY);
    }

    @Test
    void vpgGradientMatchesFiniteDifferences() {
        checkGradient(new Surrogate.LogLikelihood(), 0, this::vpg);
        checkGradient(new Surrogate.LogLikelihood(), BONUS, theta -> vpg(theta) + BONUS * entropy(theta));
    }

    @Test
    void ppoGradientMatchesFiniteDifferencesWithSamplesInsideAndBeyondTheClip() {
        checkGradient(new Surrogate.Clipped(EPSILON), 0, this::ppo);
        checkGradient(new Surrogate.Clipped(EPSILON), BONUS, theta -> ppo(theta) + BONUS * entropy(theta));
    }

    /** The sum of the gradients of three minibatches is that of the objective. */
    private void checkGradient(Surrogate surrogate, double bonus, ToDoubleFunction<double[]> objective) {
        try (Workers workers = new Workers(1)) {
            SurrogateAscent ascent = new SurrogateAscent(policy, surrogate, settings(bonus), 1, workers);
            int[] order = new int[SAMPLES];
            Arrays.setAll(order, i -> i);
            float[] gradient = new float[policy.parameters().length];
            int[] cuts = {0, 5, 12, SAMPLES};
            for (int b = 0; b < 3; b++) {
                float[] part = new float[gradient.length];
                ascent.gradient(batch, order, cuts[b], cuts[b + 1], part);
                ascent.addEntropy(part, SAMPLES / (double) (cuts[b + 1] - cuts[b]));
                for (int i = 0; i < gradient.length; i++) {
                    gradient[i] += part[i];
                }
            }
            FiniteDifferences.check(
                    gradient, ReferenceNetwork.toDouble(policy.parameters()), objective, 200, SIZE + 20);
        }
    }

    @Test
    void theEntropyBonusAloneEvensTheProbabilitiesOut() {
        AdvantageBatch nothing = new AdvantageBatch(
                SAMPLES, batch.observations(), batch.actions(), batch.oldLogProbs(), new float[SAMPLES]);
        double before = entropy(ReferenceNetwork.toDouble(policy.parameters()));
        double reported;
        try (Workers workers = new Workers(1)) {
            reported = new SurrogateAscent(policy, new Surrogate.LogLikelihood(), settings(0.01), 1, workers)
                    .improve(nothing, 1)
                    .entropy();
        }
        double after = entropy(ReferenceNetwork.toDouble(policy.parameters()));
        assertThat(after).isGreaterThan(before + 1e-3).isLessThan(Math.log(6));
        assertThat(reported).isCloseTo(after, offset(1e-5));
    }
}
