package dev.pgkq.linalg;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimdTest {
    private static final String SERVER = "OpenJDK 64-Bit Server VM";
    private static final String MIXED = "mixed mode, sharing";

    private static Simd.Jvm jvm(String name, String info, Map<String, String> options, int bits) {
        return new Simd.Jvm(true, name, info, option -> Optional.ofNullable(options.get(option)), () -> bits);
    }

    private static Optional<String> withOption(String name, String value) {
        return Simd.problem(jvm(SERVER, MIXED, Map.of(name, value), 256));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mixed mode", MIXED, "compiled mode, sharing"})
    void aServerVmWithC2UsesSimd(String info) {
        assertThat(Simd.problem(jvm("Java HotSpot(TM) 64-Bit Server VM", info, Map.of(), 128)))
                .isEmpty();
        Map<String, String> usual = Map.of(
                "UseCompiler",
                "true",
                "TieredStopAtLevel",
                "4",
                "UseJVMCICompiler",
                "false",
                "EnableVectorSupport",
                "true");
        assertThat(Simd.problem(jvm(SERVER, info, usual, 512))).isEmpty();
    }

    @Test
    void withoutTheModuleTheWidthIsNotAskedForAndTheOptionIsNamed() {
        Simd.Jvm jvm = new Simd.Jvm(false, SERVER, MIXED, option -> Optional.empty(), () -> {
            throw new NoClassDefFoundError("jdk/incubator/vector/FloatVector");
        });
        assertThat(Simd.problem(jvm)).get().asString().contains("--add-modules jdk.incubator.vector");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Eclipse OpenJ9 VM", "OpenJDK 64-Bit Zero VM", "OpenJDK Client VM", "Substrate VM", ""})
    void aVmWithoutC2IsRefusedByName(String name) {
        assertThat(Simd.problem(jvm(name, MIXED, Map.of(), 256)))
                .get()
                .asString()
                .contains("'" + name + "' is not a HotSpot Server VM");
    }

    @Test
    void anInterpreterIsRefused() {
        assertThat(Simd.problem(jvm(SERVER, "interpreted mode, sharing", Map.of(), 256)))
                .get()
                .asString()
                .contains("-Xint");
        assertThat(withOption("UseCompiler", "false")).get().asString().contains("-XX:TieredStopAtLevel=0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "2", "3"})
    void c1AloneIsRefused(String level) {
        assertThat(withOption("TieredStopAtLevel", level)).get().asString().contains("C2 compiler is off");
        assertThat(Simd.problem(jvm(SERVER, "mixed mode, emulated-client, sharing", Map.of(), 256)))
                .get()
                .asString()
                .contains("C2 compiler is off");
    }

    @ParameterizedTest
    @CsvSource({"UseJVMCICompiler, true, JVMCI", "EnableVectorSupport, false, EnableVectorSupport"})
    void compilersThatDoNotCompileVectorsAreRefused(String option, String value, String word) {
        assertThat(withOption(option, value)).get().asString().contains(word);
    }

    @Test
    void vectorsTooNarrowAreRefused() {
        assertThat(Simd.problem(jvm(SERVER, MIXED, Map.of(), 64)))
                .get()
                .asString()
                .contains("64 bits");
    }
}
