package dev.pgkq.mujoco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.env.Outcome;
import dev.pgkq.env.Task;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Our bodies and rules are those of the recorded tasks: every number of every row comes out again. */
class GoldenTrajectoryTest {
    private static final double TOLERANCE = 1e-8;
    private static final double FLOAT_TOLERANCE = 1e-6;

    static Stream<Task> tasks() {
        return new MujocoTasks().tasks().stream();
    }

    @ParameterizedTest
    @MethodSource("tasks")
    void everyRowComesOutAgain(Task task) throws IOException {
        try (MujocoEnvironment environment = (MujocoEnvironment) task.open()) {
            double[] before = new double[environment.spec().stateSize()];
            double[] after = new double[before.length];
            for (GoldenTrajectory.Row row : GoldenTrajectory.of(task.id()).rows()) {
                String where = task.id() + " episode " + row.episode() + " step " + row.step();
                if (row.step() == 0) {
                    environment.setState(row.qpos(), row.qvel());
                    environment.state(after);
                } else {
                    environment.state(before);
                    Outcome outcome = environment.step(row.action());
                    environment.state(after);
                    assertThat(outcome).as(where).isEqualTo(row.terminated() ? Outcome.TERMINATED : Outcome.CONTINUES);
                    assertThat(environment.reward(before, squares(row.action()), after))
                            .as(where + " reward")
                            .isCloseTo(row.reward(), within(TOLERANCE));
                }
                check(where + " qpos", after, 0, row.qpos());
                check(where + " qvel", after, row.qpos().length, row.qvel());
                double[] observation = new double[environment.spec().observationSize()];
                environment.observation(observation);
                check(where + " observation", observation, 0, row.observation());
                checkFloats(where, environment, row.observation());
            }
        }
    }

    private static void check(String where, double[] actual, int offset, double[] expected) {
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual[offset + i]).as(where + " " + i).isCloseTo(expected[i], within(TOLERANCE));
        }
    }

    private static void checkFloats(String where, MujocoEnvironment environment, double[] expected) {
        float[] observation = new float[environment.spec().observationSize()];
        environment.observation(observation);
        assertThat(observation).hasSize(expected.length);
        for (int i = 0; i < expected.length; i++) {
            assertThat((double) observation[i])
                    .as(where + " float observation " + i)
                    .isCloseTo((float) expected[i], within(FLOAT_TOLERANCE * Math.max(1, Math.abs(expected[i]))));
        }
    }

    private static double squares(double[] action) {
        double sum = 0;
        for (double each : action) {
            sum += each * each;
        }
        return sum;
    }
}
