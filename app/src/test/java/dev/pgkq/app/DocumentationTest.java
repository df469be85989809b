package dev.pgkq.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.config.SettingOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;

/** What the documents name must be there: files, and options of the command line. */
class DocumentationTest {
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)\\)");
    private static final Pattern ANCHOR = Pattern.compile("]\\(([^)#:]*)#([^)]+)\\)");
    private static final Pattern FILE = Pattern.compile(
            "`((?:docs|examples|core|mujoco|gym|rewards|app|python|spark|benchmarks)/[^` ]*|[A-Z]+\\.md)`");
    private static final Pattern SNIPPET = Pattern.compile("```java\\n(.*?)\\n```", Pattern.DOTALL);
    private static final Pattern OPTION = Pattern.compile("(?:pgkq train|`)[^`\\n]*?(--[a-z][a-z-]+)");

    private static List<Path> documents() throws IOException {
        Path root = Path.of("..").toRealPath();
        List<Path> documents = new ArrayList<>();
        try (Stream<Path> top = Files.list(root);
                Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .forEach(documents::add);
        }
        assertThat(documents).hasSizeGreaterThan(5);
        return documents;
    }

    @Test
    void linksToHeadingsLeadSomewhereAndNothingIsLeftToFillIn() throws IOException {
        for (Path file : documents()) {
            String text = Files.readString(file);
            assertThat(text).as(file.toString()).doesNotContain("@@");
            Matcher links = ANCHOR.matcher(text);
            while (links.find()) {
                Path target = links.group(1).isEmpty() ? file : file.resolveSibling(links.group(1));
                assertThat(anchors(target)).as(file + " → " + target).contains(links.group(2));
            }
        }
    }

    private static List<String> anchors(Path file) throws IOException {
        return Files.readString(file)
                .lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    @Test
    void filesThatAreLinkedOrNamedExist() throws IOException {
        Path root = Path.of("..").toRealPath();
        List<String> missing = new ArrayList<>();
        for (Path document : documents()) {
            String text = Files.readString(document);
            Matcher link = LINK.matcher(text);
            while (link.find()) {
                if (!Files.exists(document.resolveSibling(link.group(1)))) {
                    missing.add(document.getFileName() + " → " + link.group(1));
                }
            }
            Matcher file = FILE.matcher(text);
            while (file.find()) {
                if (!Files.exists(root.resolve(file.group(1)))) {
                    missing.add(document.getFileName() + " → " + file.group(1));
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void optionsOfTrainThatTheReadmeNamesExist() throws IOException {
        CommandSpec spec = CommandSpec.create();
        SettingOptions.addTo(spec);
        List<String> known = new ArrayList<>(spec.optionsMap().keySet());
        known.addAll(List.of(
                "--config",
                "--resume",
                "--dashboard",
                "--help",
                "--help-all",
                "--version",
                "--check",
                "--grid",
                "--debug"));
        known.addAll(List.of("--enable-native-access", "--add-modules")); // of the JVM
        Matcher option = OPTION.matcher(Files.readString(Path.of("..", "README.md")));
        List<String> named = new ArrayList<>();
        while (option.find()) {
            named.add(option.group(1));
        }
        assertThat(named).isNotEmpty();
        assertThat(known).containsAll(named);
    }

    /** So the snippet is compiled and run in the project that it is taken from. */
    @Test
    void theSnippetOfTheReadmeIsPartOfTheExample() throws IOException {
        Matcher snippet = SNIPPET.matcher(Files.readString(Path.of("..", "README.md")));
        assertThat(snippet.find()).isTrue();
        Path example = Path.of("..", "examples", "library", "src", "main", "java", "example", "Train.java");
        assertThat(unindented(Files.readString(example))).contains(unindented(snippet.group(1)));
    }

    private static String unindented(String code) {
        return code.lines().map(String::strip).collect(Collectors.joining("\n"));
    }
}
