package dev.pgkq.env;

import dev.pgkq.random.RandomStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * {@code CartPole-v1} in plain Java: push a cart to the left or to the right so that the pole on it does not fall [1].
 *
 * <p>A uniform pole of mass m = 0.1 and half length l = 0.5 is hinged to a cart; together they have the mass M = 1.1. The cart
 * is at x, the pole at θ from upright, and the force is F = −10 (action 0) or 10 (action 1):
 *
 * <pre>
 *   a = (F + m l θ'² sin θ) / M,   θ'' = (g sin θ − a cos θ) / (l (4/3 − m cos² θ / M)),   x'' = a − m l θ'' cos θ / M
 * </pre>
 *
 * with g = 9.8. The step is explicit Euler with dt = 0.02. An episode terminates when |x| exceeds 2.4 or |θ| exceeds 12°, and is
 * truncated after 500 steps; every step is worth 1, the last one, too.
 *
 * <ol>
 *   <li>A. Barto, R. Sutton, C. Anderson: Neuronlike adaptive elements that can solve difficult learning control problems. IEEE
 *       Transactions on Systems, Man, and Cybernetics 13(5), 1983.
 * </ol>
 */
public final class CartPole implements Environment {
    private static final double GRAVITY = 9.8;
    private static final double POLE_MASS = 0.1;
    private static final double MASS = 1.1;
    private static final double HALF_LENGTH = 0.5;
    private static final double FORCE = 10;
    private static final double STEP_SECONDS = 0.02;
    private static final double LARGEST_POSITION = 2.4;
    private static final double LARGEST_ANGLE = Math.toRadians(12);
    private static final EnvironmentSpec SPEC = new EnvironmentSpec(4, new ActionSpace.Discrete(2), 4, 500);

    private double position;
    private double speed;
    private double angle;
    private double turning;

    /** Creates a simulator; call {@link #reset} before the first step. */
    public CartPole() {}

    @Override
    public EnvironmentSpec spec() {
        return SPEC;
    }

    @Override
    public void reset(RandomStream random) {
        position = random.uniform(-0.05, 0.05);
        speed = random.uniform(-0.05, 0.05);
        angle = random.uniform(-0.05, 0.05);
        turning = random.uniform(-0.05, 0.05);
    }

    /** Continues from a state. */
    void restore(double[] state) {
        position = state[0];
        speed = state[1];
        angle = state[2];
        turning = state[3];
    }

    @Override
    public Outcome step(float[] action) {
        double force = action[0] == 1 ? FORCE : -FORCE;
        double sine = StrictMath.sin(angle);
        double cosine = StrictMath.cos(angle);
        double a = (force + POLE_MASS * HALF_LENGTH * turning * turning * sine) / MASS;
        double ofAngle =
                (GRAVITY * sine - a * cosine) / (HALF_LENGTH * (4.0 / 3.0 - POLE_MASS * cosine * cosine / MASS));
        double ofPosition = a - POLE_MASS * HALF_LENGTH * ofAngle * cosine / MASS;
        position += STEP_SECONDS * speed;
        speed += STEP_SECONDS * ofPosition;
        angle += STEP_SECONDS * turning;
        turning += STEP_SECONDS * ofAngle;
        return Math.abs(position) > LARGEST_POSITION || Math.abs(angle) > LARGEST_ANGLE
                ? Outcome.TERMINATED
                : Outcome.CONTINUES;
    }

    @Override
    public void observation(float[] into) {
        into[0] = (float) position;
        into[1] = (float) speed;
        into[2] = (float) angle;
        into[3] = (float) turning;
    }

    @Override
    public void state(double[] into) {
        into[0] = position;
        into[1] = speed;
        into[2] = angle;
        into[3] = turning;
    }

    @Override
    public double reward(double[] before, float[] action, double[] after) {
        return 1;
    }

    /** Returns a cart on its track, with the pole; θ is clockwise from upright. */
    @Override
    public Optional<Figure> figure() {
        return Optional.of(new Figure(
                List.of(new Figure.Body(Figure.WORLD, 0, 0, 0), new Figure.Body(0, 0, 0, 0)),
                List.of(new Figure.Slide(0, 1, 0, 0, 0), new Figure.Hinge(1, 1, 0, 0, 2, 0)),
                List.of(
                        new Figure.Capsule(Figure.WORLD, -LARGEST_POSITION, 0, LARGEST_POSITION, 0, 0.01),
                        new Figure.Capsule(0, -0.2, 0, 0.2, 0, 0.1),
                        new Figure.Capsule(1, 0, 0, 0, 2 * HALF_LENGTH, 0.04)),
                OptionalDouble.empty(),
                Figure.WORLD,
                STEP_SECONDS));
    }
}
