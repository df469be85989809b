package dev.pgkq.linalg;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntSupplier;
import jdk.incubator.vector.FloatVector;

/**
 * Decides once per process whether loops use the Vector API or their twins in plain Java.
 *
 * <p>The Vector API is fast only where the compiler turns it into vector instructions. Everywhere else each vector is
 * an object on the heap, and the plain twin is many times faster. HotSpot's C2 compiler is the one that is known to do
 * it, on processors with vectors of at least {@link #LEAST_BITS} bits. The rules follow Lucene's {@code
 * VectorizationProvider}; the options of the VM are looked at as well, because {@code java.vm.info} does not mention
 * every way to turn C2 off.
 *
 * <p>Both twins give the same bits, so the decision changes the speed of a run and nothing else.
 */
public final class Simd {
    /** The narrowest preferred vector, in bits, with which SIMD is used. */
    public static final int LEAST_BITS = 128;

    private static final String MODULE = "jdk.incubator.vector";
    /** The compilation level of C2 in tiered compilation. */
    private static final int C2_LEVEL = 4;

    private static final Optional<String> PROBLEM = problem(Jvm.running());

    static {
        PROBLEM.ifPresent(problem -> System.getLogger("dev.pgkq")
                .log(System.Logger.Level.WARNING, "SIMD is off, which makes training slow: " + problem));
    }

    private Simd() {}

    /** {@return whether SIMD is in use in this process} */
    public static boolean isOn() {
        return PROBLEM.isEmpty();
    }

    /** {@return why SIMD is not in use, and what to do about it if anything can be done; empty when it is in use} */
    public static String whyNot() {
        return PROBLEM.orElse("");
    }

    /**
     * What the decision depends on.
     *
     * @param moduleReadable whether this code can read the module of the Vector API
     * @param name {@code java.vm.name}
     * @param info {@code java.vm.info}: how the VM runs code
     * @param option the value of an option of the VM; empty where the VM has no such option
     * @param bits the preferred width of vectors; asked only where the module is readable
     */
    record Jvm(
            boolean moduleReadable,
            String name,
            String info,
            Function<String, Optional<String>> option,
            IntSupplier bits) {
        static Jvm running() {
            return new Jvm(
                    canReadModule(),
                    System.getProperty("java.vm.name", ""),
                    System.getProperty("java.vm.info", ""),
                    Simd::option,
                    () -> FloatVector.SPECIES_PREFERRED.vectorBitSize());
        }

        private boolean has(String name, String value) {
            return option.apply(name).filter(value::equals).isPresent();
        }
    }

    /** Why SIMD must not be used on such a VM; empty if it can be. */
    static Optional<String> problem(Jvm jvm) {
        if (!jvm.moduleReadable) {
            return Optional.of("the Vector API is not available; start the JVM with --add-modules " + MODULE);
        }
        if (!jvm.name.contains("Server VM")) {
            return Optional.of("'" + jvm.name + "' is not a HotSpot Server VM; only its C2 compiler is known to compile"
                    + " the Vector API to vector instructions");
        }
        if (jvm.info.startsWith("interpreted") || jvm.has("UseCompiler", "false")) {
            return Optional.of(
                    "the JVM interprets code and does not compile it; remove -Xint or" + " -XX:TieredStopAtLevel=0");
        }
        if (jvm.info.contains("emulated-client") || tieredLevel(jvm) < C2_LEVEL) {
            return Optional.of("the C2 compiler is off; remove the option that limits the JVM to C1, such as"
                    + " -XX:TieredStopAtLevel or -XX:CompilationMode");
        }
        if (jvm.has("UseJVMCICompiler", "true")) {
            return Optional.of("a JVMCI compiler takes the place of C2; start the JVM with -XX:-UseJVMCICompiler");
        }
        if (jvm.has("EnableVectorSupport", "false")) {
            return Optional.of("C2's support for the Vector API is off; remove -XX:-EnableVectorSupport");
        }
        int bits = jvm.bits.getAsInt();
        return bits < LEAST_BITS
                ? Optional.of("the preferred vectors of this processor or JVM have " + bits + " bits; at least "
                        + LEAST_BITS + " are needed")
                : Optional.empty();
    }

    private static int tieredLevel(Jvm jvm) {
        return jvm.option.apply("TieredStopAtLevel").map(Integer::valueOf).orElse(C2_LEVEL);
    }

    private static boolean canReadModule() {
        Module own = Simd.class.getModule();
        ModuleLayer layer = own.getLayer() == null ? ModuleLayer.boot() : own.getLayer();
        return layer.findModule(MODULE)
                .map(vectors -> own.addReads(vectors).canRead(vectors))
                .orElse(false);
    }

    /** Asks HotSpot's diagnostic bean by reflection: a Java runtime may come without it. */
    private static Optional<String> option(String name) {
        try {
            Class<?> beanType = Class.forName("com.sun.management.HotSpotDiagnosticMXBean");
            Object bean = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getPlatformMXBean", Class.class)
                    .invoke(null, beanType);
            Object option = beanType.getMethod("getVMOption", String.class).invoke(bean, name);
            return Optional.of((String) option.getClass().getMethod("getValue").invoke(option));
        } catch (ReflectiveOperationException | RuntimeException unknown) {
            return Optional.empty();
        }
    }
}
