package dev.pgkq.mujoco;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Figure;
import java.util.Optional;

/**
 * {@code InvertedDoublePendulum-v4}: balance two poles on a cart. With (x, y) the horizontal position and height of the tip
 * and ω the angular velocities of the poles, the reward of a step is
 *
 * <pre>
 *   10 − 0.01 x² − (y − 2)² − 0.001 ω1² − 0.005 ω2²
 * </pre>
 *
 * and an episode ends when y ≤ 1. MuJoCo computes the tip at the start of its last internal step, one step before qpos. The
 * tip is used as computed, so it is part of the state and not a function of qpos.
 */
final class InvertedDoublePendulum extends MujocoEnvironment {
    private static final int MAX_STEPS = 1000;
    private static final int TIP_SITE = 0;
    private static final int TIP_X = 6;
    private static final int TIP_HEIGHT = 7;
    private static final int LOWER_SPEED = 4;
    private static final int UPPER_SPEED = 5;
    private static final double CLIP = 10;

    InvertedDoublePendulum() {
        super(
                "inverted_double_pendulum",
                EnvironmentSpec.symmetric(11, 1, 1f, 8, MAX_STEPS),
                5,
                Noise.uniform(0.1),
                Noise.normal(0.1));
    }

    @Override
    void readExtras(Simulation now, double[] into) {
        into[TIP_X] = now.sitePosition(TIP_SITE, 0);
        into[TIP_HEIGHT] = now.sitePosition(TIP_SITE, 2);
    }

    @Override
    void observe(Simulation now, double[] into) {
        into[0] = state[0];
        for (int pole = 1; pole <= 2; pole++) {
            into[pole] = StrictMath.sin(state[pole]);
            into[2 + pole] = StrictMath.cos(state[pole]);
        }
        for (int i = 0; i < velocities; i++) {
            into[5 + i] = Math.clamp(state[positions + i], -CLIP, CLIP);
            into[8 + i] = Math.clamp(now.constraintForce(i), -CLIP, CLIP);
        }
    }

    /** Adds the rail, which is not part of the model: the cart can move one meter to each side. */
    @Override
    public Optional<Figure> figure() {
        return super.figure().map(figure -> figure.with(new Figure.Capsule(Figure.WORLD, -1, 0, 1, 0, 0.01)));
    }

    @Override
    boolean terminated(double[] now) {
        return now[TIP_HEIGHT] <= 1;
    }

    @Override
    double reward(double[] before, double squaredAction, double[] after) {
        double x = after[TIP_X];
        double below = after[TIP_HEIGHT] - 2;
        double lower = after[LOWER_SPEED];
        double upper = after[UPPER_SPEED];
        return 10 - (0.01 * x * x + below * below) - (1e-3 * lower * lower + 5e-3 * upper * upper);
    }
}
