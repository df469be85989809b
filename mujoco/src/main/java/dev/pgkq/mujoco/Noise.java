package dev.pgkq.mujoco;

import dev.pgkq.random.RandomStream;

/** The random deviation of a start state from the reference pose, drawn for each entry. */
@FunctionalInterface
interface Noise {
    /** Draws a deviation. */
    double draw(RandomStream random);

    /** Returns noise that is uniform on ±bound. */
    static Noise uniform(double bound) {
        return random -> random.uniform(-bound, bound);
    }

    /** Returns Gaussian noise. */
    static Noise normal(double deviation) {
        return random -> deviation * random.nextGaussian();
    }
}
