package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.report.Browser;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The pages' modules have types, in their comments; the compiler that the comments are for finds nothing wrong with them. */
class ModuleTypesTest {
    private static Browser browser;
    private static TypeChecker checker;

    @BeforeAll
    static void open() {
        browser = Browser.open();
        checker = new TypeChecker(browser);
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            checker.close();
            browser.close();
        }
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
    void noModuleHasATypeFault() throws Exception {
        assertThat(checker.faults(modules())).isEmpty();
    }

    @Test
    void noModuleIsLeftOut() throws Exception {
        assertThat(modules().values())
                .allSatisfy(text -> assertThat(text)
                        .startsWith("// @ts-check\n")
                        .doesNotContain("@ts-nocheck")
                        .doesNotContain("@ts-ignore"));
    }

    /** What the checker is for: each of these would be seen only where a page runs just that line. */
    @Test
    void faultsAreFoundWhereTheyAre() throws Exception {
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
        List<String> faults = checker.faults(modules);
        assertThat(faults)
                .filteredOn(fault -> !fault.startsWith("js/faulty.js:"))
                .isEmpty();
        assertThat(faults)
                .anyMatch(fault -> fault.startsWith("js/faulty.js:2: ") && fault.contains("nothing"))
                .anyMatch(fault -> fault.startsWith("js/faulty.js:3: ") && fault.contains("./missing.js"))
                .anyMatch(fault -> fault.startsWith("js/faulty.js:4: ") && fault.contains("'string'"))
                .anyMatch(fault -> fault.startsWith("js/faulty.js:7: ") && fault.contains("null"))
                .anyMatch(fault -> fault.startsWith("js/faulty.js:7: ") && fault.contains("'size'"));
    }
}
