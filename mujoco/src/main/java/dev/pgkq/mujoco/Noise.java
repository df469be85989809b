package dev.pgkq.mujoco;

import dev.pgkq.random.RandomStream;

/** How far a start state strays from the reference pose, entry by entry. */
@FunctionalInterface
interface Noise {
    double draw(RandomStream random);

    static Noise uniform(double bound) {
        return random -> random.uniform(-bound, bound);
    }

    static Noise normal(double deviation) {
        return random -> deviation * random.nextGaussian();
    }
}
