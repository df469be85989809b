package dev.pgkq.mujoco;

import dev.pgkq.env.EnvironmentSpec;

/**
 * A task of moving forward along x, which is qpos[0]. With Δt the seconds of one step, the reward is
 *
 * <pre>
 *   (x_after − x_before) / Δt + aliveBonus − controlCost |action|²
 * </pre>
 *
 * The observation is qpos without x, then qvel clipped to ±velocityClip. The policy does not need to know the distance.
 */
abstract class Locomotion extends MujocoEnvironment {
    static final int MAX_STEPS = 1000;

    /** The constants in which the tasks differ. */
    record Rules(double aliveBonus, double controlCost, double velocityClip) {}

    private final Rules rules;

    Locomotion(String model, int joints, int motors, int frameSkip, Rules rules, Noise position, Noise velocity) {
        super(
                model,
                EnvironmentSpec.symmetric(2 * joints - 1, motors, 1f, 2 * joints, MAX_STEPS),
                frameSkip,
                position,
                velocity);
        this.rules = rules;
    }

    @Override
    final void observe(Simulation now, double[] into) {
        System.arraycopy(state, 1, into, 0, positions - 1);
        for (int i = 0; i < velocities; i++) {
            into[positions - 1 + i] = Math.clamp(state[positions + i], -rules.velocityClip(), rules.velocityClip());
        }
    }

    @Override
    final double reward(double[] before, double squaredAction, double[] after) {
        return (after[0] - before[0]) / stepSeconds() + rules.aliveBonus() - rules.controlCost() * squaredAction;
    }
}
