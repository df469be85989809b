package dev.pgkq.mujoco;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.env.Environment;
import dev.pgkq.env.Outcome;
import dev.pgkq.env.Task;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MujocoEnvironmentTest {
    private static final int STEPS = 60;

    static Stream<Task> tasks() {
        return new MujocoTasks().tasks().stream();
    }

    @ParameterizedTest
    @MethodSource("tasks")
    void theSameSeedGivesTheSameBitsInEverySimulator(Task task) {
        try (Environment one = task.open();
                Environment other = task.open()) {
            episode(other, 7);

            assertThat(episode(one, 3)).isEqualTo(episode(other, 3));
        }
    }

    @ParameterizedTest
    @MethodSource("tasks")
    void simulatorsThatRunAtOnceDoNotDisturbEachOther(Task task) throws Exception {
        List<List<Double>> alone = new ArrayList<>();
        try (Environment environment = task.open()) {
            for (int seed = 0; seed < 8; seed++) {
                alone.add(episode(environment, seed));
            }
        }
        List<Future<List<Double>>> together = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int seed = 0; seed < 8; seed++) {
                int mine = seed;
                together.add(threads.submit(() -> {
                    try (Environment environment = task.open()) {
                        return episode(environment, mine);
                    }
                }));
            }
        }
        for (int seed = 0; seed < 8; seed++) {
            assertThat(together.get(seed).get()).isEqualTo(alone.get(seed));
        }
    }

    @ParameterizedTest
    @MethodSource("tasks")
    void aRewardNeedsTheStateVectorsOnly(Task task) {
        Environment environment = task.open();
        environment.reset(RandomStream.of(1, Purpose.RESET));
        double[] before = new double[environment.spec().stateSize()];
        double[] after = new double[environment.spec().stateSize()];
        float[] action = new float[environment.spec().actionSize()];
        environment.state(before);
        environment.step(action);
        environment.state(after);
        double reward = environment.reward(before, action, after);
        environment.step(action);
        assertThat(environment.reward(before, action, after)).isEqualTo(reward);
        environment.close();

        assertThat(environment.reward(before, action, after)).isEqualTo(reward).isFinite();
    }

    @Test
    void aClosedSimulatorRefusesToStepAndMayBeClosedAgain() {
        Environment environment = new Hopper();
        environment.close();
        environment.close();

        assertThatThrownBy(() -> environment.step(new float[3]))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void anActionOfTheWrongSizeIsRefused() {
        try (Environment environment = new Hopper()) {
            assertThatThrownBy(() -> environment.step(new float[2]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the action has 2 entries, the task takes 3");
        }
    }

    /** Everything an episode shows: observations, states, rewards, outcomes. */
    private static List<Double> episode(Environment environment, long seed) {
        RandomStream actions = RandomStream.of(seed, Purpose.ACTION);
        float[] action = new float[environment.spec().actionSize()];
        float[] observation = new float[environment.spec().observationSize()];
        double[] before = new double[environment.spec().stateSize()];
        double[] after = new double[environment.spec().stateSize()];
        List<Double> seen = new ArrayList<>();
        environment.reset(RandomStream.of(seed, Purpose.RESET));
        Outcome outcome = Outcome.CONTINUES;
        for (int step = 0; step < STEPS && outcome == Outcome.CONTINUES; step++) {
            for (int i = 0; i < action.length; i++) {
                action[i] = (float) actions.uniform(-1, 1);
            }
            environment.state(before);
            outcome = environment.step(action);
            environment.state(after);
            environment.observation(observation);
            seen.add(outcome == Outcome.CONTINUES ? 1.0 : 0.0);
            seen.add(environment.reward(before, action, after));
            for (float each : observation) {
                seen.add((double) each);
            }
            for (double each : after) {
                seen.add(each);
            }
        }
        return seen;
    }
}
