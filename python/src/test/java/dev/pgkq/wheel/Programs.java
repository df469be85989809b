package dev.pgkq.wheel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Programs that tests run, and the repository that they run in. */
final class Programs {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    static final Path PACKAGE = ROOT.resolve("python");

    private static final Pattern EXAMPLE = Pattern.compile("```python\\n(.*?)```", Pattern.DOTALL);

    private Programs() {}

    /** What a program prints; a failure of it is one of the test. */
    static String run(Map<String, String> environment, String... command) throws IOException, InterruptedException {
        return runIn(PACKAGE, environment, command);
    }

    static String runIn(Path folder, Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as(String.join(" ", command) + "\n" + printed)
                .isZero();
        return printed;
    }

    /** The first example in Python of a document. */
    static String example(Path document) throws IOException {
        Matcher block = EXAMPLE.matcher(Files.readString(document));
        assertThat(block.find()).as("an example in " + document).isTrue();
        return block.group(1);
    }

    /** Variables with which Python finds the package of this checkout, and the package the classes of this build. */
    static Map<String, String> ofThisBuild() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String command = Stream.of(
                        java,
                        "--enable-native-access=ALL-UNNAMED",
                        "--add-modules=jdk.incubator.vector",
                        "-Djava.awt.headless=true",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.pgkq.app.Main")
                .map(word -> "'" + word.replace("'", "'\"'\"'") + "'")
                .collect(Collectors.joining(" "));
        return Map.of("PGKQ_COMMAND", command, "PYTHONPATH", PACKAGE.toString(), "PYTHONDONTWRITEBYTECODE", "1");
    }
}
