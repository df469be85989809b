package dev.pgkq.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.env.ActionSpace;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.episode.Steps;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ScoreProjectionTest {
    private static final int STATES = 3;
    private static final int ACTIONS = 2;
    private static final int COUNT = 4;

    static final List<Named<Supplier<Policy>>> POLICIES = List.of(
            Named.of("continuous actions", () -> Policy.gaussian(STATES, ACTIONS, 1)),
            Named.of(
                    "discrete actions",
                    () -> Policy.initialize(new EnvironmentSpec(STATES, new ActionSpace.Discrete(ACTIONS), 1, 1), 1)));

    private static Steps steps(Policy policy, int count) {
        RandomStream random = RandomStream.of(3, Purpose.CHECK);
        // away from the start values, where the last layer's small weights hide the first two
        for (int i = 0; i < policy.parameters().length; i++) {
            policy.parameters()[i] += (float) (0.05 * random.nextGaussian());
        }
        float[] observations = new float[count * STATES];
        float[] actions = new float[count * ACTIONS];
        for (int i = 0; i < observations.length; i++) {
            observations[i] = (float) random.nextGaussian();
        }
        for (int i = 0; i < actions.length; i++) {
            actions[i] = (float) random.nextGaussian();
        }
        for (int i = 0; policy.freeParameters() == 0 && i < actions.length; i += 2) {
            actions[i] = actions[i] > 0 ? 1 : 0;
            actions[i + 1] = 1 - actions[i];
        }
        return new Steps(new int[] {0, count}, observations, actions, new float[count]);
    }

    private static double[][] exactScores(Policy policy, Steps steps) {
        double[][] scores = new double[COUNT][];
        Policy.Batch batch = policy.batch(1);
        for (int i = 0; i < COUNT; i++) {
            System.arraycopy(steps.observations(), i * STATES, batch.observations(), 0, STATES);
            System.arraycopy(steps.actions(), i * ACTIONS, batch.actions(), 0, ACTIONS);
            policy.evaluate(batch, 1);
            batch.factors()[0] = 1;
            float[] score = new float[policy.parameters().length];
            policy.addScores(batch, 1, score);
            scores[i] = new double[score.length];
            for (int k = 0; k < score.length; k++) {
                scores[i][k] = score[k];
            }
        }
        return scores;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    /** Over many seeds the mean of ⟨Ps, Ps'⟩ is ⟨s, s'⟩, within four of its standard errors. */
    @ParameterizedTest
    @FieldSource("POLICIES")
    void innerProductsAreKeptOnAverage(Supplier<Policy> fresh) {
        Policy policy = fresh.get();
        Steps steps = steps(policy, COUNT);
        double[][] scores = exactScores(policy, steps);
        int dimensions = 32;
        int seeds = 400;
        double[][] sums = new double[COUNT][COUNT];
        double[][] squares = new double[COUNT][COUNT];
        try (Workers workers = new Workers(1)) {
            for (int seed = 0; seed < seeds; seed++) {
                float[] rows = new ScoreProjection(policy, dimensions, seed, workers)
                        .project(steps.starts(), steps.observations(), steps.actions());
                for (int i = 0; i < COUNT; i++) {
                    for (int j = 0; j < COUNT; j++) {
                        double product = 0;
                        for (int d = 0; d < dimensions; d++) {
                            product += (double) rows[i * dimensions + d] * rows[j * dimensions + d];
                        }
                        sums[i][j] += product;
                        squares[i][j] += product * product;
                    }
                }
            }
        }
        for (int i = 0; i < COUNT; i++) {
            for (int j = 0; j < COUNT; j++) {
                double mean = sums[i][j] / seeds;
                double deviation = Math.sqrt(squares[i][j] / seeds - mean * mean);
                double scale = Math.sqrt(dot(scores[i], scores[i]) * dot(scores[j], scores[j]));
                assertThat(mean).isCloseTo(dot(scores[i], scores[j]), offset(4 * deviation / Math.sqrt(seeds)));
                // the error of one projection: E of a product of two rank-one forms is at most 9 times the squares
                assertThat(deviation).isLessThan(3 * scale / Math.sqrt(dimensions));
            }
        }
    }

    @ParameterizedTest
    @FieldSource("POLICIES")
    void theSameBitsOnAnyNumberOfWorkers(Supplier<Policy> fresh) {
        Policy policy = fresh.get();
        Steps many = steps(policy, 2000);
        assertThat(projected(policy, many, 2)).isEqualTo(projected(policy, many, 1));
        assertThat(projected(policy, many, 7)).isEqualTo(projected(policy, many, 1));
    }

    private static float[] projected(Policy policy, Steps many, int threads) {
        try (Workers workers = new Workers(threads)) {
            return new ScoreProjection(policy, 8, 1, workers)
                    .project(many.starts(), many.observations(), many.actions());
        }
    }
}
