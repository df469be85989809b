package dev.pgkq.gp;

/** Decides once per process which {@link Waves} are used. */
final class WavesChoice {
    static final Waves BEST =
            ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent() ? new SimdWaves() : new PlainWaves();

    private WavesChoice() {}
}
