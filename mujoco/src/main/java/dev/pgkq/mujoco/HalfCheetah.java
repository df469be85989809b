package dev.pgkq.mujoco;

/** {@code HalfCheetah-v4}: run forward as fast as the cost of the motors allows. Episodes never end before the time limit. */
final class HalfCheetah extends Locomotion {
    HalfCheetah() {
        super(
                "half_cheetah",
                9,
                6,
                5,
                new Rules(0, 0.1, Double.POSITIVE_INFINITY),
                Noise.uniform(0.1),
                Noise.normal(0.1));
    }

    @Override
    boolean terminated(double[] now) {
        return false;
    }
}
