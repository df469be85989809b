package dev.pgkq.mujoco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.env.Environment;
import dev.pgkq.env.Tasks;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Start states follow the law of the task. Means and variances get five standard errors, and the seed is fixed. */
class StartNoiseTest {
    private static final int EPISODES = 2000;
    private static final double STANDARD_ERRORS = 5;

    @ParameterizedTest
    @CsvSource({
        "Hopper-v4, hopper, 0.005, false",
        "Walker2d-v4, walker2d, 0.005, false",
        "HalfCheetah-v4, half_cheetah, 0.1, true",
        "InvertedDoublePendulum-v4, inverted_double_pendulum, 0.1, true"
    })
    void startStatesScatterAroundTheReferencePose(String task, String model, double scale, boolean normalSpeeds) {
        double[] reference = Mujoco.get().model(model).referencePositions();
        int joints = reference.length;
        double[] positions = new double[EPISODES * joints];
        double[] speeds = new double[EPISODES * joints];
        try (Environment environment = Tasks.named(task).open()) {
            double[] state = new double[environment.spec().stateSize()];
            for (int episode = 0; episode < EPISODES; episode++) {
                environment.reset(RandomStream.of(42, Purpose.RESET, episode));
                environment.state(state);
                for (int i = 0; i < joints; i++) {
                    positions[episode * joints + i] = state[i] - reference[i];
                    speeds[episode * joints + i] = state[joints + i];
                }
            }
        }
        assertUniform(positions, scale);
        if (normalSpeeds) {
            assertMoments(speeds, scale * scale, 3 * Math.pow(scale, 4));
            assertThat(largest(speeds)).as("a normal has tails").isGreaterThan(3 * scale);
        } else {
            assertUniform(speeds, scale);
        }
    }

    private static void assertUniform(double[] values, double bound) {
        assertThat(largest(values)).isBetween(0.99 * bound, bound * (1 + 1e-12));
        assertMoments(values, bound * bound / 3, Math.pow(bound, 4) / 5);
    }

    private static double largest(double[] values) {
        return Arrays.stream(values).map(Math::abs).max().orElseThrow();
    }

    /** Mean 0, and the variance, whose estimate has variance (fourth moment − variance²) / n. */
    private static void assertMoments(double[] values, double variance, double fourthMoment) {
        double sum = 0;
        double squares = 0;
        for (double each : values) {
            sum += each;
            squares += each * each;
        }
        int n = values.length;
        assertThat(sum / n).isCloseTo(0, within(STANDARD_ERRORS * Math.sqrt(variance / n)));
        assertThat(squares / n)
                .isCloseTo(variance, within(STANDARD_ERRORS * Math.sqrt((fourthMoment - variance * variance) / n)));
    }
}
