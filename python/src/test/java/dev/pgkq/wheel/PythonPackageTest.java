package dev.pgkq.wheel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pgkq.gym.TestPython;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tests of the Python package, which are in {@code python/tests}, and the examples. */
class PythonPackageTest {
    /** With it, Stable-Baselines3 and TRL are there as well. */
    private static final String EXAMPLES_PYTHON = "PGKQ_EXAMPLES_PYTHON";

    private static final Path EXAMPLES = Programs.ROOT.resolve("examples/python");

    static List<String> modules() throws IOException {
        try (Stream<Path> files = Files.list(Programs.PACKAGE.resolve("tests"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("test_"))
                    .map(name -> "tests." + name.replaceFirst("\\.py$", ""))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("modules")
    void theTestsInPythonSucceed(String module) throws IOException, InterruptedException {
        String printed =
                Programs.run(Programs.ofThisBuild(), TestPython.withGymnasium(), "-m", "unittest", "-v", module);
        assertThat(printed).containsPattern("Ran [1-9]\\d* tests? in").doesNotContain("skipped");
    }

    @Test
    void theOptimiserFindsBetterDesigns(@TempDir Path folder) throws IOException, InterruptedException {
        String script = EXAMPLES.resolve("optimiser.py").toString();
        String printed = Programs.run(
                Programs.ofThisBuild(),
                TestPython.withGymnasium(),
                script,
                folder.resolve("designs").toString(),
                "8");
        List<String> lines = printed.lines().toList();
        assertThat(lines.getLast()).startsWith("generation 8: 64 designs simulated, drag ");
        assertThat(last(lines.getLast())).isLessThan(0.7 * last(lines.getFirst()));
    }

    private static double last(String line) {
        return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }

    @Test
    @Tag("slow")
    void stableBaselinesTrainsWithEstimatedRewards(@TempDir Path folder) throws IOException, InterruptedException {
        String printed = Programs.run(
                Programs.ofThisBuild(),
                examplesPython(),
                EXAMPLES.resolve("sb3_ppo.py").toString(),
                folder.resolve("pendulum").toString(),
                "40960");
        List<String> lines = printed.lines()
                .filter(line -> line.contains("rewards paid for"))
                .toList();
        assertThat(lines.getFirst())
                .startsWith("8192 steps, 1024 rewards paid for: mean return of the newest episodes ");
        assertThat(lines.getLast())
                .startsWith("40960 steps, 5120 rewards paid for: mean return of the newest episodes ");
        // a return is between -1700 and 0; without learning it stays near -1200
        assertThat(last(lines.getLast())).as(printed).isGreaterThan(last(lines.getFirst()) + 300);
    }

    @Test
    @Tag("slow")
    void theModelThatTrlTrainsLearnsWhatTheJudgeLikes(@TempDir Path folder) throws IOException, InterruptedException {
        String printed = Programs.run(
                Programs.ofThisBuild(),
                examplesPython(),
                EXAMPLES.resolve("trl_grpo.py").toString(),
                folder.resolve("vowels").toString());
        String result = printed.lines()
                .filter(line -> line.startsWith("share of vowels: "))
                .findFirst()
                .orElseThrow();
        double[] shares = Stream.of(result.split("[^0-9.]+"))
                .filter(word -> word.contains("."))
                .mapToDouble(Double::parseDouble)
                .toArray();
        assertThat(shares[1]).as(printed).isGreaterThan(2 * shares[0]);
        assertThat(printed).contains("320 of 2560 completions judged");
    }

    private static String examplesPython() {
        String python = System.getenv(EXAMPLES_PYTHON);
        assumeTrue(
                python != null,
                "skipped without a Python that has examples/python/requirements.txt in " + EXAMPLES_PYTHON);
        return python;
    }
}
