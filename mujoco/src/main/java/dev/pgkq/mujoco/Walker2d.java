package dev.pgkq.mujoco;

/** {@code Walker2d-v4}: walk forward on two legs. An episode ends when the walker falls, takes off or tips over. */
final class Walker2d extends Locomotion {
    private static final int HEIGHT = 1;
    private static final int TILT = 2;
    private static final double LOWEST = 0.8;
    private static final double HIGHEST = 2;
    private static final double MOST_TILT = 1;

    Walker2d() {
        super("walker2d", 9, 6, 4, new Rules(1, 1e-3, 10), Noise.uniform(5e-3), Noise.uniform(5e-3));
    }

    @Override
    boolean terminated(double[] now) {
        return now[HEIGHT] <= LOWEST || now[HEIGHT] >= HIGHEST || Math.abs(now[TILT]) >= MOST_TILT;
    }
}
