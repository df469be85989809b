package dev.pgkq.wheel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.gym.TestPython;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wheel that {@code mvn package} has built; Maven runs this after that phase. */
class InstalledWheelTest {
    private static final long MOST_BYTES = 60_000_000;
    private static final Pattern JAR = Pattern.compile("pgkq/jars/(.+?)-\\d[^/]*\\.jar");
    private static final Pattern USED_MODULE = Pattern.compile("-> ((?:java|jdk)\\.[a-z.]+)");

    /** Before the example of the package's page: it has nothing but what was installed. */
    private static final String NOTHING_ELSE = """
            import pgkq, shutil
            assert shutil.which("java") is None and "site-packages" in pgkq.__file__
            """;

    private static Path wheel() throws IOException {
        try (Stream<Path> files = Files.list(Programs.PACKAGE.resolve("target"))) {
            List<Path> wheels =
                    files.filter(file -> file.toString().endsWith(".whl")).toList();
            assertThat(wheels)
                    .as("'mvn package' builds one wheel in python/target")
                    .hasSize(1);
            return wheels.getFirst();
        }
    }

    @Test
    void theWheelIsSmallAndNamesTheLicenceOfEveryPart() throws IOException {
        assertThat(Files.size(wheel())).isLessThan(MOST_BYTES);
        String licences = Files.readString(Programs.PACKAGE.resolve("licences/THIRD-PARTY.md"));
        try (ZipFile zip = new ZipFile(wheel().toFile())) {
            List<String> names =
                    zip.stream().map(entry -> entry.getName()).sorted().toList();
            TreeSet<String> parts = new TreeSet<>();
            for (String name : names) {
                Matcher jar = JAR.matcher(name);
                if (jar.matches() && !jar.group(1).startsWith("pgkq-")) {
                    parts.add(jar.group(1));
                }
            }
            assertThat(parts)
                    .hasSizeGreaterThan(30)
                    .allMatch(part -> licences.matches("(?s).*[ :]" + part + "[,: |].*"));
            Matcher text = Pattern.compile("`([A-Za-z0-9.-]+\\.txt|LICENSE)`").matcher(licences);
            String info = names.stream()
                    .filter(name -> name.endsWith(".dist-info/RECORD"))
                    .findFirst()
                    .orElseThrow();
            while (text.find()) {
                assertThat(names).contains(info.replace("RECORD", "licenses/" + text.group(1)));
            }
            assertThat(names)
                    .contains(
                            "pgkq/worker.py",
                            "pgkq/py.typed",
                            "pgkq/runtime/bin/java",
                            "pgkq/runtime/legal/java.base/LICENSE")
                    .noneMatch(name -> name.contains("__pycache__"));
            String metadata = new String(
                    zip.getInputStream(zip.getEntry(info.replace("RECORD", "METADATA")))
                            .readAllBytes(),
                    UTF_8);
            assertThat(metadata)
                    .startsWith("Metadata-Version: 2.4\nName: pgkq\n")
                    .contains("\nRequires-Dist: numpy");
        }
    }

    @Test
    void theManualHasTheExampleOfThePackage() throws IOException {
        assertThat(Programs.example(Programs.ROOT.resolve("docs/adviser.md")))
                .isEqualTo(Programs.example(Programs.PACKAGE.resolve("README.md")));
    }

    /** Without a network there is no NumPy, so this is not among the quick tests. */
    @Test
    @Tag("slow")
    void itWorksInAnEmptyEnvironmentWithoutJava(@TempDir Path folder) throws IOException, InterruptedException {
        Path environment = folder.resolve("environment");
        Programs.run(Map.of(), TestPython.withGymnasium(), "-m", "venv", environment.toString());
        Path bin = environment.resolve("bin");
        String pip = bin.resolve("pip").toString();
        Programs.run(Map.of(), pip, "install", "-q", wheel().toString());
        assertThat(Programs.run(Map.of(), pip, "check")).contains("No broken requirements");
        // the list of files is what pip uninstalls by
        assertThat(Programs.run(Map.of(), pip, "show", "--files", "pgkq")).contains("pgkq/runtime/bin/java");

        Map<String, String> plain =
                Map.of("PATH", bin.toString(), "JAVA_HOME", "", "PGKQ_COMMAND", "", "PYTHONPATH", "");
        String python = bin.resolve("python").toString();
        String example = Programs.example(Programs.PACKAGE.resolve("README.md"));
        assertThat(Programs.runIn(folder, plain, python, "-c", NOTHING_ELSE + example))
                .contains("8 items scored, 64 rewards estimated");
        assertThat(Programs.runIn(folder, plain, bin.resolve("pgkq").toString(), "envs"))
                .contains("Pendulum-v1");
        assertThat(Programs.runIn(folder, plain, python, "-m", "pgkq", "train", "--help"))
                .contains("--algo");
        String run = folder.resolve("run").toString();
        Programs.runIn(
                folder,
                plain,
                bin.resolve("pgkq").toString(),
                "train",
                "--env",
                "CartPole-v1",
                "--batch",
                "8",
                "--select",
                "2",
                "--iterations",
                "1",
                "--out",
                run);
        assertThat(folder.resolve("run/curve.png")).isNotEmptyFile(); // drawn with the runtime's own fonts or none
    }

    @Test
    @Tag("slow")
    void theRuntimeHasEveryModuleThatTheJarsUse(@TempDir Path folder) throws IOException {
        TreeSet<String> used = new TreeSet<>();
        List<String> linked;
        try (ZipFile zip = new ZipFile(wheel().toFile())) {
            Properties release = new Properties();
            release.load(zip.getInputStream(zip.getEntry("pgkq/runtime/release")));
            linked = List.of(release.getProperty("MODULES").replace("\"", "").split(" "));
            for (var entry : zip.stream()
                    .filter(each -> JAR.matcher(each.getName()).matches())
                    .toList()) {
                // SLF4J and Jetty name optional parts of Java that are not here in classes that are never loaded
                Path jar = folder.resolve(Path.of(entry.getName()).getFileName());
                Files.write(jar, zip.getInputStream(entry).readAllBytes());
                StringWriter printed = new StringWriter();
                PrintWriter print = new PrintWriter(printed);
                ToolProvider.findFirst("jdeps")
                        .orElseThrow()
                        .run(print, print, "-s", "--multi-release", "25", "--ignore-missing-deps", jar.toString());
                Matcher module = USED_MODULE.matcher(printed.toString());
                while (module.find()) {
                    used.add(module.group(1));
                }
            }
        }
        assertThat(used).contains("java.base", "java.sql");
        assertThat(linked).containsAll(used).containsAll(RuntimeImage.MODULES);
    }
}
