package dev.pgkq.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.nn.FiniteDifferences;
import dev.pgkq.nn.ReferenceNetwork;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class GaussianPolicyTest {
    private static final int STATES = 4;
    private static final int ACTIONS = 3;
    private static final int ROWS = 6;

    private final Policy policy = trainedALittle();
    private final Policy.Batch batch = policy.batch(ROWS);

    GaussianPolicyTest() {
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        for (int i = 0; i < ROWS * STATES; i++) {
            batch.observations()[i] = (float) random.nextGaussian();
        }
        for (int i = 0; i < ROWS * ACTIONS; i++) {
            batch.actions()[i] = (float) random.nextGaussian();
        }
    }

    /** Away from the start values, so that means are not all near 0 and deviations differ. */
    private static Policy trainedALittle() {
        Policy policy = Policy.gaussian(STATES, ACTIONS, 3);
        RandomStream random = RandomStream.of(2, Purpose.CHECK);
        for (int i = 0; i < policy.parameters().length; i++) {
            policy.parameters()[i] += (float) (0.05 * random.nextGaussian());
        }
        return policy;
    }

    static double logProb(double[] theta, double[] state, double[] action) {
        double[] out = ReferenceNetwork.forward(theta, state, state.length, 200, 100, action.length);
        double sum = 0;
        for (int i = 0; i < action.length; i++) {
            double logSigma = theta[theta.length - action.length + i];
            double variance = Math.exp(2 * logSigma);
            double distance = action[i] - Math.tanh(out[i]);
            sum += -distance * distance / (2 * variance) - 0.5 * Math.log(2 * Math.PI * variance);
        }
        return sum;
    }

    @Test
    void startsWithMeansNearZeroAndLogSigmaMinusOne() {
        Policy fresh = Policy.gaussian(STATES, ACTIONS, 3);
        fresh.act(batch, ROWS);
        for (int i = 0; i < ROWS * ACTIONS; i++) {
            assertThat(Math.abs(batch.outputs()[i])).isLessThan(0.2f).isGreaterThan(0f);
        }
        float[] parameters = fresh.parameters();
        assertThat(Arrays.copyOfRange(parameters, parameters.length - ACTIONS, parameters.length))
                .containsOnly(-1f);
        // ½ log 2πe − 1 each
        assertThat(fresh.freeEntropy()).isCloseTo(ACTIONS * (0.5 * Math.log(2 * Math.PI * Math.E) - 1), offset(1e-9));
    }

    @Test
    void logProbabilityIsTheNormalDensity() {
        policy.evaluate(batch, ROWS);
        double[] theta = ReferenceNetwork.toDouble(policy.parameters());
        for (int r = 0; r < ROWS; r++) {
            double expected = logProb(
                    theta,
                    ReferenceNetwork.row(batch.observations(), r, STATES),
                    ReferenceNetwork.row(batch.actions(), r, ACTIONS));
            assertThat(batch.logProbs()[r]).isCloseTo(expected, offset(2e-5 * Math.abs(expected)));
        }
    }

    @Test
    void weightedScoresMatchFiniteDifferences() {
        for (int r = 0; r < ROWS; r++) {
            batch.factors()[r] = r - 2.5;
        }
        policy.evaluate(batch, ROWS);
        float[] gradient = new float[policy.parameters().length];
        policy.addScores(batch, ROWS, gradient);
        FiniteDifferences.check(
                gradient,
                ReferenceNetwork.toDouble(policy.parameters()),
                theta -> {
                    double sum = 0;
                    for (int r = 0; r < ROWS; r++) {
                        sum += batch.factors()[r]
                                * logProb(
                                        theta,
                                        ReferenceNetwork.row(batch.observations(), r, STATES),
                                        ReferenceNetwork.row(batch.actions(), r, ACTIONS));
                    }
                    return sum;
                },
                200,
                ACTIONS + 20);
    }

    @Test
    void drawsHaveTheMeanAndDeviationOfThePolicy() {
        int draws = 40_000;
        double[] sums = new double[ACTIONS];
        double[] squares = new double[ACTIONS];
        RandomStream[] streams = {RandomStream.of(4, Purpose.CHECK)};
        for (int d = 0; d < draws; d++) {
            policy.draw(batch, 1, streams);
            for (int i = 0; i < ACTIONS; i++) {
                double distance = batch.actions()[i] - batch.outputs()[i];
                sums[i] += distance;
                squares[i] += distance * distance;
            }
        }
        float[] parameters = policy.parameters();
        for (int i = 0; i < ACTIONS; i++) {
            double variance = Math.exp(2 * parameters[parameters.length - ACTIONS + i]);
            assertThat(sums[i] / draws).isCloseTo(0, offset(5 * Math.sqrt(variance / draws)));
            assertThat(squares[i] / draws).isCloseTo(variance, offset(5 * variance * Math.sqrt(2.0 / draws)));
        }
    }

    @Test
    void whatARowDrawsDoesNotDependOnTheOtherRows() {
        policy.draw(batch, ROWS, streams(0));
        float[] together = batch.actions().clone();
        Policy.Batch alone = policy.batch(1);
        for (int r = 0; r < ROWS; r++) {
            System.arraycopy(batch.observations(), r * STATES, alone.observations(), 0, STATES);
            policy.draw(alone, 1, streams(r));
            assertThat(alone.actions()).isEqualTo(Arrays.copyOfRange(together, r * ACTIONS, (r + 1) * ACTIONS));
            assertThat(alone.logProbs()[0]).isEqualTo(batch.logProbs()[r]);
        }
    }

    private static RandomStream[] streams(int first) {
        RandomStream[] streams = new RandomStream[ROWS - first];
        Arrays.setAll(streams, i -> RandomStream.of(5, Purpose.CHECK, first + i));
        return streams;
    }
}
