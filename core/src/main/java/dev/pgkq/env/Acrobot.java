package dev.pgkq.env;

import dev.pgkq.random.RandomStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * {@code Acrobot-v1} in plain Java: swing a chain of two links up with a motor between them [1].
 *
 * <p>Both links have length 1, mass 1, their center of mass in the middle and the moment of inertia 1. θ₁ is the angle of the
 * first link from hanging straight down, θ₂ that of the second relative to the first. The torque u is −1, 0 or 1 (actions 0, 1
 * and 2). With g = 9.8,
 *
 * <pre>
 *   d₁ = 3.5 + cos θ₂,   d₂ = 1.25 + 0.5 cos θ₂,   φ₂ = 0.5 g sin(θ₁ + θ₂)
 *   φ₁ = −0.5 θ₂'² sin θ₂ − θ₁' θ₂' sin θ₂ + 1.5 g sin θ₁ + φ₂
 *   θ₂'' = (u + φ₁ d₂ / d₁ − 0.5 θ₁'² sin θ₂ − φ₂) / (1.25 − d₂² / d₁),   θ₁'' = −(d₂ θ₂'' + φ₁) / d₁
 * </pre>
 *
 * The step is one of the classical Runge–Kutta method with dt = 0.2. After it, angles are wrapped to [−π, π], and speeds are
 * limited to ±4π and ±9π. An episode terminates when the tip is higher than 1, −cos θ₁ − cos(θ₁ + θ₂) &gt; 1, and is truncated
 * after 500 steps. Every step is worth −1, the one that terminates it 0.
 *
 * <ol>
 *   <li>R. Sutton: Generalization in reinforcement learning: successful examples using sparse coarse coding. NIPS 1995. The
 *       equations are those of R. Sutton, A. Barto: Reinforcement Learning, 1998, section 11.3.
 * </ol>
 */
public final class Acrobot implements Environment {
    private static final double GRAVITY = 9.8;
    private static final double STEP_SECONDS = 0.2;
    private static final double HEIGHT = 1;
    private static final double[] LARGEST_SPEEDS = {4 * Math.PI, 9 * Math.PI};
    private static final EnvironmentSpec SPEC = new EnvironmentSpec(6, new ActionSpace.Discrete(3), 4, 500);

    /** θ₁, θ₂, θ₁', θ₂'. */
    private final double[] state = new double[4];

    /** Creates a simulator; call {@link #reset} before the first step. */
    public Acrobot() {}

    @Override
    public EnvironmentSpec spec() {
        return SPEC;
    }

    /** Starts near rest. Gymnasium rounds the start state to single precision, so this does, too. */
    @Override
    public void reset(RandomStream random) {
        for (int i = 0; i < state.length; i++) {
            state[i] = (float) random.uniform(-0.1, 0.1);
        }
    }

    /** Continues from a state. */
    void restore(double[] other) {
        System.arraycopy(other, 0, state, 0, state.length);
    }

    @Override
    public Outcome step(float[] action) {
        double torque = action[0] - 1;
        double[] k1 = slope(state, torque);
        double[] k2 = slope(ahead(k1, STEP_SECONDS / 2), torque);
        double[] k3 = slope(ahead(k2, STEP_SECONDS / 2), torque);
        double[] k4 = slope(ahead(k3, STEP_SECONDS), torque);
        for (int i = 0; i < state.length; i++) {
            state[i] += STEP_SECONDS / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
        }
        for (int i = 0; i < 2; i++) {
            state[i] = wrapped(state[i]);
            state[2 + i] = Math.clamp(state[2 + i], -LARGEST_SPEEDS[i], LARGEST_SPEEDS[i]);
        }
        return isHigh(state) ? Outcome.TERMINATED : Outcome.CONTINUES;
    }

    private double[] ahead(double[] slope, double seconds) {
        double[] ahead = new double[state.length];
        for (int i = 0; i < ahead.length; i++) {
            ahead[i] = state[i] + seconds * slope[i];
        }
        return ahead;
    }

    /** Returns θ₁', θ₂', θ₁'', θ₂''. */
    private static double[] slope(double[] at, double torque) {
        double sine = StrictMath.sin(at[1]);
        double cosine = StrictMath.cos(at[1]);
        double d1 = 3.5 + cosine;
        double d2 = 1.25 + 0.5 * cosine;
        double phi2 = 0.5 * GRAVITY * StrictMath.sin(at[0] + at[1]);
        double phi1 = -0.5 * at[3] * at[3] * sine - at[2] * at[3] * sine + 1.5 * GRAVITY * StrictMath.sin(at[0]) + phi2;
        double ofSecond = (torque + phi1 * d2 / d1 - 0.5 * at[2] * at[2] * sine - phi2) / (1.25 - d2 * d2 / d1);
        double ofFirst = -(d2 * ofSecond + phi1) / d1;
        return new double[] {at[2], at[3], ofFirst, ofSecond};
    }

    private static double wrapped(double angle) {
        double wrapped = angle;
        while (wrapped > Math.PI) {
            wrapped -= 2 * Math.PI;
        }
        while (wrapped < -Math.PI) {
            wrapped += 2 * Math.PI;
        }
        return wrapped;
    }

    private static boolean isHigh(double[] at) {
        return -StrictMath.cos(at[0]) - StrictMath.cos(at[0] + at[1]) > HEIGHT;
    }

    @Override
    public void observation(float[] into) {
        into[0] = (float) StrictMath.cos(state[0]);
        into[1] = (float) StrictMath.sin(state[0]);
        into[2] = (float) StrictMath.cos(state[1]);
        into[3] = (float) StrictMath.sin(state[1]);
        into[4] = (float) state[2];
        into[5] = (float) state[3];
    }

    @Override
    public void state(double[] into) {
        System.arraycopy(state, 0, into, 0, state.length);
    }

    @Override
    public double reward(double[] before, float[] action, double[] after) {
        return isHigh(after) ? 0 : -1;
    }

    /** Returns the two links and the height to reach; angles are counterclockwise from hanging down. */
    @Override
    public Optional<Figure> figure() {
        return Optional.of(new Figure(
                List.of(new Figure.Body(Figure.WORLD, 0, 0, 0), new Figure.Body(0, 0, -1, 0)),
                List.of(new Figure.Hinge(0, -1, 0, 0, 0, 0), new Figure.Hinge(1, -1, 0, 0, 1, 0)),
                List.of(
                        new Figure.Capsule(Figure.WORLD, -2, HEIGHT, 2, HEIGHT, 0.01),
                        new Figure.Capsule(0, 0, 0, 0, -1, 0.06),
                        new Figure.Capsule(1, 0, 0, 0, -1, 0.06)),
                OptionalDouble.empty(),
                Figure.WORLD,
                STEP_SECONDS));
    }
}
