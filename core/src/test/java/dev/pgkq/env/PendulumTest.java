package dev.pgkq.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import org.junit.jupiter.api.Test;

class PendulumTest {
    @Test
    void withoutTorqueTheEnergyOfTheRodIsKeptUpToTheIntegratorsError() {
        Pendulum pendulum = new Pendulum();
        double[] state = new double[2];
        for (int i = 0; i < 20; i++) {
            pendulum.reset(RandomStream.of(1, Purpose.CHECK, i));
            pendulum.state(state);
            double start = energy(state);
            for (int t = 0; t < 200; t++) {
                pendulum.step(new float[] {0});
                pendulum.state(state);
                // semi-implicit Euler keeps a nearby energy: off by at most about dt·θ'·θ''/2 per swing
                assertThat(energy(state)).isCloseTo(start, offset(3.0));
            }
        }
    }

    /** ½ θ'² + (3 g/(2 l)) cos θ: constant along θ'' = (3 g/(2 l)) sin θ. */
    private static double energy(double[] state) {
        return 0.5 * state[1] * state[1] + 15 * Math.cos(state[0]);
    }

    @Test
    void stepsAreThoseOfTheFormulaWithTorqueAndWithTheSpeedAtItsLimit() {
        Pendulum pendulum = new Pendulum();
        double[] state = new double[2];
        int limited = 0;
        for (int episode = 0; episode < 5; episode++) {
            pendulum.reset(RandomStream.of(2, Purpose.CHECK, episode));
            pendulum.state(state);
            double angle = state[0];
            double speed = state[1];
            for (int t = 0; t < 200; t++) {
                // Torque along the motion pumps the rod up to the limit of its speed, then a sine.
                float torque = t < 120 ? (float) (2 * Math.signum(speed)) : (float) (2 * Math.sin(t));
                double gravity = 10;
                double length = 1;
                double mass = 1;
                speed += (3 * gravity / (2 * length) * Math.sin(angle) + 3 / (mass * length * length) * torque) * 0.05;
                limited += Math.abs(speed) > 8 ? 1 : 0;
                speed = Math.min(Math.max(speed, -8), 8);
                angle += speed * 0.05;
                assertThat(pendulum.step(new float[] {torque})).isEqualTo(Outcome.CONTINUES);
                pendulum.state(state);
                assertThat(state[0]).isCloseTo(angle, offset(1e-9));
                assertThat(state[1]).isCloseTo(speed, offset(1e-9));
                angle = state[0];
                speed = state[1];
            }
        }
        assertThat(limited).as("steps that reached the limit").isGreaterThan(5);
    }

    @Test
    void rewardIsHighestAtRestUprightAndTakesTheAngleModuloATurn() {
        Pendulum pendulum = new Pendulum();
        float[] none = {0};
        double[] after = {0, 0};
        assertThat(pendulum.reward(new double[] {0, 0}, none, after)).isZero();
        assertThat(pendulum.reward(new double[] {2 * Math.PI, 0}, none, after)).isCloseTo(0, offset(1e-12));
        assertThat(pendulum.reward(new double[] {Math.PI - 1e-9, 0}, none, after))
                .isCloseTo(-Math.PI * Math.PI, offset(1e-6));
        assertThat(pendulum.reward(new double[] {1, 2}, new float[] {2}, after))
                .isCloseTo(-(1 + 0.4 + 0.004), offset(1e-12));
    }
}
