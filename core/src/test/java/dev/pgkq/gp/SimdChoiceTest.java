package dev.pgkq.gp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.linalg.Elementwise;
import dev.pgkq.linalg.Simd;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which twins a JVM chooses. Each needs a process of its own: the decision is made once. */
class SimdChoiceTest {
    private static final String MODULE = "--add-modules=jdk.incubator.vector";

    @Test
    void aUsualJvmUsesSimdEverywhere() throws IOException, URISyntaxException {
        assertThat(choices(MODULE)).containsExactly("SimdElementwise", "SimdGramKernel", "SimdSineCosine");
    }

    @Test
    void withoutTheModuleThePlainTwinsAreUsed() throws IOException, URISyntaxException {
        assertPlain(choices("-Xmixed"), "--add-modules jdk.incubator.vector");
    }

    @ParameterizedTest
    @CsvSource({
        "-Xint, -Xint",
        "-XX:TieredStopAtLevel=0, interprets",
        "-XX:TieredStopAtLevel=1, C2 compiler is off",
        "-XX:TieredStopAtLevel=3, C2 compiler is off",
        "-XX:MaxVectorSize=8, 64 bits"
    })
    void whereVectorsDoNotCompileThePlainTwinsAreUsed(String option, String reason)
            throws IOException, URISyntaxException {
        assertPlain(choices(MODULE, option), reason);
    }

    private static void assertPlain(List<String> choices, String reason) {
        assertThat(choices).hasSize(4).startsWith("PlainElementwise", "PlainGramKernel", "PlainSineCosine");
        assertThat(choices.getLast()).contains(reason);
    }

    private static List<String> choices(String... options) throws IOException, URISyntaxException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        // HotSpot warns about unusual options on standard output
        command.add("-XX:+DisplayVMOutputToStderr");
        command.add("-cp");
        command.add(folderOf(Simd.class) + System.getProperty("path.separator") + folderOf(Report.class));
        command.add(Report.class.getName());
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    private static String folderOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    /** What the other processes run: prints the class of each twin, and the reason where they are plain. */
    static final class Report {
        private Report() {}

        public static void main(String[] arguments) {
            for (Object twin : new Object[] {Elementwise.best(), GramKernel.best(), SineCosine.best()}) {
                System.out.println(twin.getClass().getSimpleName());
            }
            System.out.print(Simd.whyNot());
        }
    }
}
