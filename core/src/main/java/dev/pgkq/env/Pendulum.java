package dev.pgkq.env;

import dev.pgkq.random.RandomStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * {@code Pendulum-v1} in plain Java: swing a rod up and hold it there, with a motor too weak to lift it directly.
 *
 * <p>A uniform rod of length l = 1 and mass m = 1 hangs on a motor of torque u, |u| ≤ 2; θ is measured from upright:
 *
 * <pre>
 *   θ'' = 3 g sin θ / (2 l) + 3 u / (m l²),   θ' is limited to ±8,   g = 10,   dt = 0.05
 * </pre>
 *
 * The step is semi-implicit Euler; the reward −(θ² + 0.1 θ'² + 0.001 u²) is taken at the state before the step, with θ
 * in [−π, π). Episodes have 200 steps and never terminate.
 */
public final class Pendulum implements Environment {
    private static final double GRAVITY = 10;
    private static final double STEP_SECONDS = 0.05;
    private static final double MAX_SPEED = 8;
    private static final float MAX_TORQUE = 2;
    private static final EnvironmentSpec SPEC = EnvironmentSpec.symmetric(3, 1, MAX_TORQUE, 2, 200);

    private double angle;
    private double speed;

    /** Creates a simulator; call {@link #reset} before the first step. */
    public Pendulum() {}

    @Override
    public EnvironmentSpec spec() {
        return SPEC;
    }

    @Override
    public void reset(RandomStream random) {
        angle = random.uniform(-Math.PI, Math.PI);
        speed = random.uniform(-1, 1);
    }

    @Override
    public Outcome step(float[] action) {
        double acceleration = 1.5 * GRAVITY * StrictMath.sin(angle) + 3.0 * action[0];
        speed = Math.clamp(speed + acceleration * STEP_SECONDS, -MAX_SPEED, MAX_SPEED);
        angle += speed * STEP_SECONDS;
        return Double.isFinite(angle) ? Outcome.CONTINUES : Outcome.DIVERGED;
    }

    @Override
    public void observation(float[] into) {
        into[0] = (float) StrictMath.cos(angle);
        into[1] = (float) StrictMath.sin(angle);
        into[2] = (float) speed;
    }

    @Override
    public void state(double[] into) {
        into[0] = angle;
        into[1] = speed;
    }

    /** Returns a rod that rotates about its end; θ is counterclockwise from upright. */
    @Override
    public Optional<Figure> figure() {
        return Optional.of(new Figure(
                List.of(new Figure.Body(Figure.WORLD, 0, 0, 0)),
                List.of(new Figure.Hinge(0, -1, 0, 0, 0, 0)),
                List.of(
                        new Figure.Capsule(0, 0, 0, 0, 1, 0.06),
                        new Figure.Capsule(Figure.WORLD, -0.03, 0, 0.03, 0, 0.1)),
                OptionalDouble.empty(),
                Figure.WORLD,
                STEP_SECONDS));
    }

    @Override
    public double reward(double[] before, float[] action, double[] after) {
        double turn = before[0] + Math.PI;
        double wrapped = turn - 2 * Math.PI * Math.floor(turn / (2 * Math.PI)) - Math.PI;
        return -(wrapped * wrapped + 0.1 * before[1] * before[1] + 0.001 * action[0] * action[0]);
    }
}
