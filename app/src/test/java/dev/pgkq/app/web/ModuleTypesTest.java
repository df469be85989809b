package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.BrowserExtension;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The pages' modules declare types in comments; the TypeScript compiler finds no errors in them. */
@ResourceLock(BrowserExtension.BROWSER)
class ModuleTypesTest {
    @RegisterExtension
    static final BrowserExtension BROWSER = new BrowserExtension();

    private static TypeChecker checker;

    @BeforeAll
    static void open() {
        checker = new TypeChecker(BROWSER.newContext());
    }

    private static Map<String, String> modules() throws Exception {
        Path folder = Path.of(Objects.requireNonNull(ModuleTypesTest.class.getResource("/dev/pgkq/app/web/js"))
                .toURI());
        Map<String, String> modules = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.js")) {
            for (Path file : files) {
                modules.put("js/" + file.getFileName(), read(file));
            }
        }
        assertThat(modules).containsKeys("js/run.js", "js/rate.js");
        return modules;
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file);
    }

    @Test
    void noModuleHasATypeError() throws Exception {
        assertThat(checker.errors(modules())).isEmpty();
    }

    @Test
    void everyModuleIsChecked() throws Exception {
        assertThat(modules().values())
                .allSatisfy(text -> assertThat(text)
                        .startsWith("// @ts-check\n")
                        .doesNotContain("@ts-nocheck")
                        .doesNotContain("@ts-ignore"));
    }

    /** Errors that would otherwise show only when a page executes the line. */
    @Test
    void errorsAreReportedWithTheirLines() throws Exception {
        Map<String, String> modules = modules();
        modules.put("js/faulty.js", """
                // @ts-check
                import { number, nothing } from "./format.js";
                import { element } from "./missing.js";
                number("seven");
                /** @param {{a: number} | null} thing */
                export function take(thing) {
                    return thing.a + document.title.size + element;
                }
                """);
        List<String> errors = checker.errors(modules);
        assertThat(errors)
                .filteredOn(error -> !error.startsWith("js/faulty.js:"))
                .isEmpty();
        assertThat(errors)
                .anyMatch(error -> error.startsWith("js/faulty.js:2: ") && error.contains("nothing"))
                .anyMatch(error -> error.startsWith("js/faulty.js:3: ") && error.contains("./missing.js"))
                .anyMatch(error -> error.startsWith("js/faulty.js:4: ") && error.contains("'string'"))
                .anyMatch(error -> error.startsWith("js/faulty.js:7: ") && error.contains("null"))
                .anyMatch(error -> error.startsWith("js/faulty.js:7: ") && error.contains("'size'"));
    }
}
