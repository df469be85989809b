package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import dev.pgkq.app.report.Browser;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The TypeScript compiler as a checker of JavaScript whose types are in its comments. The compiler is a script itself and asks
 * for files through an interface, so that a page of a browser does where there is no Node: the files are in an object.
 */
final class TypeChecker implements AutoCloseable {
    private static final String FOLDER = "/META-INF/resources/webjars/typescript/" + version() + "/lib/";
    private static final Pattern REFERENCE = Pattern.compile("/// <reference lib=\"([\\w.]+)\" />");
    /** What modules may use: the language as it is, and what browsers offer. */
    private static final List<String> LIBRARIES = List.of("esnext", "dom", "dom.iterable", "dom.asynciterable");

    private static final String CHECK = """
            ([modules, libraries, names]) => {
              const text = (name) => name.startsWith("/lib/") ? libraries[name.slice(5)] : modules[name.slice(1)];
              const host = {
                getSourceFile: (name, version) =>
                    text(name) === undefined ? undefined : ts.createSourceFile(name, text(name), version),
                fileExists: (name) => text(name) !== undefined,
                readFile: text,
                writeFile: () => {},
                getDefaultLibFileName: () => "/lib/lib.esnext.d.ts",
                getDefaultLibLocation: () => "/lib",
                getCurrentDirectory: () => "/",
                getCanonicalFileName: (name) => name,
                useCaseSensitiveFileNames: () => true,
                getNewLine: () => "\\n",
              };
              const program = ts.createProgram(Object.keys(modules).map((name) => "/" + name), {
                allowJs: true,
                checkJs: true,
                strict: true,
                noEmit: true,
                noImplicitReturns: true,
                noFallthroughCasesInSwitch: true,
                target: ts.ScriptTarget.ESNext,
                module: ts.ModuleKind.ESNext,
                moduleResolution: ts.ModuleResolutionKind.Bundler,
                lib: names.map((name) => `lib.${name}.d.ts`),
                types: [],
              }, host);
              return ts.getPreEmitDiagnostics(program).map((fault) => {
                const message = ts.flattenDiagnosticMessageText(fault.messageText, "\\n  ");
                if (!fault.file) {
                  return message;
                }
                const line = fault.file.getLineAndCharacterOfPosition(fault.start).line + 1;
                return `${fault.file.fileName.slice(1)}:${line}: ${message}`;
              });
            }""";

    private final BrowserContext context;
    private final Page page;
    private final Map<String, String> libraries = new LinkedHashMap<>();

    TypeChecker(Browser browser) {
        context = browser.get().newContext();
        page = context.newPage();
        page.addScriptTag(new Page.AddScriptTagOptions().setContent(resource("typescript.js")));
        LIBRARIES.forEach(this::addLibrary);
    }

    private void addLibrary(String name) {
        String file = "lib." + name + ".d.ts";
        if (libraries.containsKey(file)) {
            return;
        }
        String text = resource(file);
        libraries.put(file, text);
        for (Matcher found = REFERENCE.matcher(text); found.find(); ) {
            addLibrary(found.group(1));
        }
    }

    /**
     * What is wrong with the types, as {@code file:line: message}.
     *
     * @param modules their texts, by name
     */
    List<String> faults(Map<String, String> modules) {
        Object found = page.evaluate(CHECK, List.of(modules, libraries, LIBRARIES));
        return ((List<?>) found).stream().map(String::valueOf).toList();
    }

    /** From what is on the class path, so that it is named in one place. */
    private static String version() {
        String properties = text("/META-INF/maven/org.webjars.npm/typescript/pom.properties");
        return properties
                .lines()
                .filter(line -> line.startsWith("version="))
                .findFirst()
                .orElseThrow()
                .substring(8);
    }

    private static String resource(String name) {
        return text(FOLDER + name);
    }

    private static String text(String resource) {
        try (InputStream in = TypeChecker.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new AssertionError(resource + " is not on the class path");
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
