package dev.pgkq.linalg;

/** Decides once per process which {@link Elementwise} is used. */
final class ElementwiseChoice {
    static final Elementwise BEST = choose();

    private ElementwiseChoice() {}

    private static Elementwise choose() {
        if (ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()) {
            return new SimdElementwise();
        }
        System.getLogger("dev.pgkq")
                .log(
                        System.Logger.Level.WARNING,
                        "SIMD is off: start the JVM with --add-modules jdk.incubator.vector for full speed");
        return new PlainElementwise();
    }
}
