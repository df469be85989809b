package dev.pgkq.mujoco;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.env.Outcome;
import dev.pgkq.env.Task;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** MuJoCo starts over in silence when numbers turn bad; the tasks must say so. */
class DivergenceTest {
    static Stream<Task> tasks() {
        return new MujocoTasks().tasks().stream();
    }

    @ParameterizedTest
    @MethodSource("tasks")
    void aSpeedThatBlowsUpWithinTheStepIsDivergence(Task task) {
        assertDiverges(task, 0, 1e9);
    }

    @ParameterizedTest
    @MethodSource("tasks")
    void aSpeedThatMujocoItselfCallsBadIsDivergence(Task task) {
        assertDiverges(task, 0, 1e11);
    }

    @ParameterizedTest
    @MethodSource("tasks")
    void aPositionThatIsNotANumberIsDivergence(Task task) {
        assertDiverges(task, Double.NaN, 0);
    }

    @ParameterizedTest
    @MethodSource("tasks")
    void anActionThatIsNotFiniteIsDivergence(Task task) {
        try (MujocoEnvironment environment = (MujocoEnvironment) task.open()) {
            float[] action = new float[environment.spec().actionSize()];
            for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
                environment.reset(RandomStream.of(1, Purpose.RESET));
                action[action.length - 1] = bad;

                assertThat(environment.step(action)).isEqualTo(Outcome.DIVERGED);
            }
        }
    }

    private static void assertDiverges(Task task, double position, double speed) {
        try (MujocoEnvironment environment = (MujocoEnvironment) task.open()) {
            float[] action = new float[environment.spec().actionSize()];
            double[] qpos = new double[environment.positions];
            double[] qvel = new double[environment.velocities];
            Arrays.fill(qpos, position);
            Arrays.fill(qvel, speed);
            environment.setState(qpos, qvel);

            assertThat(environment.step(action)).isEqualTo(Outcome.DIVERGED);
            assertThat(environment.step(action)).as("until it is reset").isEqualTo(Outcome.DIVERGED);

            environment.reset(RandomStream.of(1, Purpose.RESET));
            assertThat(environment.step(action)).as("after a reset").isEqualTo(Outcome.CONTINUES);
        }
    }
}
