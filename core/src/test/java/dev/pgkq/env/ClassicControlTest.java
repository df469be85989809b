package dev.pgkq.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** {@link CartPole} and {@link Acrobot} against steps of Gymnasium's environments of the same names. */
class ClassicControlTest {
    private static final int STATES = 4;

    /** A recorded step; the files say where they come from. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Step(int number, float action, double[] before, double[] after, double[] rest) {
        static List<Step> of(String task) throws IOException {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                    Objects.requireNonNull(ClassicControlTest.class.getResourceAsStream("golden/" + task + ".csv")),
                    StandardCharsets.US_ASCII))) {
                return lines.lines()
                        .filter(line -> !line.startsWith("#") && !line.startsWith("episode"))
                        .map(line -> Arrays.stream(line.split(","))
                                .mapToDouble(Double::parseDouble)
                                .toArray())
                        .map(cells -> new Step(
                                (int) cells[1],
                                (float) cells[2],
                                Arrays.copyOfRange(cells, 3, 3 + STATES),
                                Arrays.copyOfRange(cells, 3 + STATES, 3 + 2 * STATES),
                                Arrays.copyOfRange(cells, 3 + 2 * STATES, cells.length)))
                        .toList();
            }
        }

        double observation(int i) {
            return rest[i];
        }

        double reward() {
            return rest[rest.length - 3];
        }

        boolean terminated() {
            return rest[rest.length - 2] == 1;
        }

        boolean truncated() {
            return rest[rest.length - 1] == 1;
        }
    }

    private interface Restore {
        void from(double[] state);
    }

    private static void compare(List<Step> steps, Environment environment, Restore restore) {
        EnvironmentSpec spec = environment.spec();
        double[] state = new double[spec.stateSize()];
        float[] observation = new float[spec.observationSize()];
        for (Step step : steps) {
            restore.from(step.before);
            float[] action = {step.action};
            Outcome outcome = environment.step(action);
            environment.state(state);
            environment.observation(observation);
            for (int i = 0; i < STATES; i++) {
                assertThat(state[i]).isCloseTo(step.after[i], offset(1e-12));
            }
            for (int i = 0; i < observation.length; i++) {
                // a float, printed with as many digits as identify it
                assertThat((double) observation[i])
                        .isCloseTo(step.observation(i), offset(1.2e-7 * Math.max(1, Math.abs(step.observation(i)))));
            }
            assertThat(outcome == Outcome.TERMINATED).isEqualTo(step.terminated());
            assertThat(environment.reward(step.before, action, state)).isEqualTo(step.reward());
            assertThat(step.number == spec.maxSteps() && !step.terminated()).isEqualTo(step.truncated());
        }
        assertThat(steps).anyMatch(Step::terminated).anyMatch(Step::truncated);
    }

    @Test
    void cartPoleStepsAreThoseOfGymnasium() throws IOException {
        List<Step> steps = Step.of("CartPole-v1");
        CartPole cartPole = new CartPole();
        compare(steps, cartPole, cartPole::restore);
        // it ended for both reasons
        assertThat(steps).anyMatch(step -> step.terminated() && Math.abs(step.after[0]) > 2.4);
        assertThat(steps).anyMatch(step -> step.terminated() && Math.abs(step.after[2]) > 0.2);
    }

    @Test
    void acrobotStepsAreThoseOfGymnasium() throws IOException {
        List<Step> steps = Step.of("Acrobot-v1");
        Acrobot acrobot = new Acrobot();
        compare(steps, acrobot, acrobot::restore);
        assertThat(steps).as("speeds reach their limits").anyMatch(step -> step.after[2] == 4 * Math.PI);
        assertThat(steps).anyMatch(step -> step.after[3] == -9 * Math.PI);
        assertThat(steps)
                .as("angles are wrapped")
                .anyMatch(step -> step.before[2] > 6 && step.after[0] < step.before[0]);
    }

    @Test
    void startStatesAreUniformInTheirRange() {
        start(new CartPole(), 0.05);
        start(new Acrobot(), 0.1);
    }

    private static void start(Environment environment, double bound) {
        double[] state = new double[STATES];
        double[] squares = new double[STATES];
        int starts = 2000;
        for (int s = 0; s < starts; s++) {
            environment.reset(RandomStream.of(1, Purpose.CHECK, s));
            environment.state(state);
            for (int i = 0; i < STATES; i++) {
                assertThat(Math.abs(state[i])).isLessThanOrEqualTo(bound * (1 + 1e-7));
                squares[i] += state[i] * state[i] / starts;
            }
        }
        for (double square : squares) {
            // x² of a uniform x has mean b²/3 and standard deviation b² √(4/45)
            assertThat(square).isCloseTo(bound * bound / 3, offset(5 * bound * bound * Math.sqrt(4.0 / 45 / starts)));
        }
    }

    @Test
    void theCheckerFindsNothing() {
        assertThat(EnvironmentChecker.check(Tasks.named("CartPole-v1"))).isEmpty();
        assertThat(EnvironmentChecker.check(Tasks.named("Acrobot-v1"))).isEmpty();
    }

    @Test
    void figuresFollowTheState() {
        double[] cart = new CartPole().figure().orElseThrow().ends(new double[] {1, 0, 0.3, 0});
        // the last capsule is the pole, from the cart up and to the right
        close(Arrays.copyOfRange(cart, 8, 12), 1, 0, 1 + Math.sin(0.3), Math.cos(0.3));
        double[] chain = new Acrobot().figure().orElseThrow().ends(new double[] {0.4, 0.5, 0, 0});
        close(Arrays.copyOfRange(chain, 4, 8), 0, 0, Math.sin(0.4), -Math.cos(0.4));
        close(
                Arrays.copyOfRange(chain, 8, 12),
                Math.sin(0.4),
                -Math.cos(0.4),
                Math.sin(0.4) + Math.sin(0.9),
                -Math.cos(0.4) - Math.cos(0.9));
    }

    private static void close(double[] actual, double... expected) {
        assertThat(actual).containsExactly(expected, offset(1e-12));
    }
}
