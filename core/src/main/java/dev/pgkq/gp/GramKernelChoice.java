package dev.pgkq.gp;

/** Decides once per process which {@link GramKernel} is used. */
final class GramKernelChoice {
    static final GramKernel BEST =
            ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
                    ? new SimdGramKernel()
                    : new PlainGramKernel();

    private GramKernelChoice() {}
}
