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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The formatter of the build. It runs as a test because formatters parse with the JDK they run on: Maven itself may run
 * on an older one, the tests never do. {@code mvn -q test -Dformat=fix -Dtest=SourceFormatTest -pl app -am
 * -Dsurefire.failIfNoSpecifiedTests=false} rewrites what is not formatted.
 */
class SourceFormatTest {
    private static final Formatter FORMATTER = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .formatJavadoc(false)
            .build());

    @Test
    void everySourceFileIsFormatted() throws IOException {
        boolean fix = "fix".equals(System.getProperty("format"));
        Path root = Path.of("..").toRealPath();
        List<Path> unformatted = sources(root).parallelStream()
                .filter(source -> !isFormatted(source, fix))
                .map(root::relativize)
                .toList();
        assertThat(unformatted)
                .as("files to format: rerun this test with -Dformat=fix")
                .isEmpty();
    }

    /** Tells whether a file is formatted, after formatting it if it is to be fixed. */
    private static boolean isFormatted(Path source, boolean fix) {
        try {
            String text = Files.readString(source);
            String tidy = FORMATTER.formatSource(RemoveUnusedImports.removeUnusedImports(
                    ImportOrderer.reorderImports(text, JavaFormatterOptions.Style.PALANTIR)));
            if (fix && !tidy.equals(text)) {
                Files.writeString(source, tidy);
            }
            return fix || tidy.equals(text);
        } catch (IOException | FormatterException e) {
            throw new AssertionError(source + " cannot be formatted", e);
        }
    }

    private static List<Path> sources(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !root.relativize(file).toString().contains("target/"))
                    .toList();
        }
    }
}
