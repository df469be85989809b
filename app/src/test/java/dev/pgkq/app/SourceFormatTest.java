package dev.pgkq.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.ImportOrderer;
import com.palantir.javaformat.java.JavaFormatterOptions;
import com.palantir.javaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The formatter of the build. It runs as a test because formatters parse with the JDK they run on: Maven itself may run
 * on an older one, the tests never do. {@code mvn -q test -Dformat=fix -Dtest=SourceFormatTest -pl app -am
 * -Dsurefire.failIfNoSpecifiedTests=false} rewrites what is not formatted.
 */
class SourceFormatTest {
    @Test
    void everySourceFileIsFormatted() throws IOException, FormatterException {
        Formatter formatter = Formatter.createFormatter(JavaFormatterOptions.builder()
                .style(JavaFormatterOptions.Style.PALANTIR)
                .formatJavadoc(false)
                .build());
        boolean fix = "fix".equals(System.getProperty("format"));
        List<Path> unformatted = new ArrayList<>();
        Path root = Path.of("..").toRealPath();
        for (Path source : sources(root)) {
            String text = Files.readString(source);
            String tidy = formatter.formatSource(RemoveUnusedImports.removeUnusedImports(
                    ImportOrderer.reorderImports(text, JavaFormatterOptions.Style.PALANTIR)));
            if (!tidy.equals(text)) {
                if (fix) {
                    Files.writeString(source, tidy);
                } else {
                    unformatted.add(root.relativize(source));
                }
            }
        }
        assertThat(unformatted)
                .as("files to format: rerun this test with -Dformat=fix")
                .isEmpty();
    }

    private static List<Path> sources(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !root.relativize(file).toString().contains("target/"))
                    .toList();
        }
    }
}
