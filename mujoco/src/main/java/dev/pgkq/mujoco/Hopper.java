package dev.pgkq.mujoco;

/** {@code Hopper-v4}: hop forward on one leg. An episode ends when the hopper falls, tips over or moves implausibly fast. */
final class Hopper extends Locomotion {
    private static final int HEIGHT = 1;
    private static final int TILT = 2;
    private static final double LOWEST = 0.7;
    private static final double MOST_TILT = 0.2;
    private static final double WILD = 100;

    Hopper() {
        super("hopper", 6, 3, 4, new Rules(1, 1e-3, 10), Noise.uniform(5e-3), Noise.uniform(5e-3));
    }

    @Override
    boolean terminated(double[] now) {
        for (int i = TILT; i < now.length; i++) {
            if (Math.abs(now[i]) >= WILD) {
                return true;
            }
        }
        return now[HEIGHT] <= LOWEST || Math.abs(now[TILT]) >= MOST_TILT;
    }
}
