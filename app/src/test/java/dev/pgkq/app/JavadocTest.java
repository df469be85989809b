package dev.pgkq.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documentation of the packages that core exports is complete: javadoc has nothing to complain about. */
class JavadocTest {
    private static final Pattern EXPORTED = Pattern.compile("^    exports ([a-z.]+);$", Pattern.MULTILINE);

    @TempDir
    Path folder;

    @Test
    void exportedPackagesHaveNoWarnings() throws IOException {
        Path main = Path.of("..", "core", "src", "main");
        List<String> options = new ArrayList<>(List.of(
                "-quiet",
                "-Xdoclint:all",
                "-Xmaxwarns",
                "1000",
                "--add-modules",
                "jdk.incubator.vector",
                "-classpath",
                System.getProperty("java.class.path"),
                "-sourcepath",
                main.resolve("java").toString(),
                "-d",
                folder.toString()));
        EXPORTED.matcher(Files.readString(main.resolve("module").resolve("module-info.java")))
                .results()
                .forEach(found -> options.add(found.group(1)));

        StringWriter messages = new StringWriter();
        int code;
        try (PrintWriter writer = new PrintWriter(messages)) {
            code = ToolProvider.findFirst("javadoc").orElseThrow().run(writer, writer, options.toArray(String[]::new));
        }

        assertThat(messages.toString()
                        .lines()
                        .filter(line -> line.contains("warning:") || line.contains("error:"))
                        .filter(line -> !line.contains("[incubating]")))
                .isEmpty();
        assertThat(code).isZero();
    }
}
