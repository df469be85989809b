package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks JavaScript with types in comments, using the TypeScript compiler. The compiler is itself a script that reads files
 * through an interface, so it runs in a browser page without Node; the files are held in an object.
 */
final class TypeChecker {
    private static final String FOLDER = "/META-INF/resources/webjars/typescript/" + version() + "/lib/";
    private static final Pattern REFERENCE = Pattern.compile("/// <reference lib=\"([\\w.]+)\" />");
    /** The libraries that modules may use: the current language and the browser APIs. */
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

    private final Page page;
    private final Map<String, String> libraries = new LinkedHashMap<>();

    TypeChecker(BrowserContext context) {
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
     * The type errors, as {@code file:line: message}.
     *
     * @param modules texts of the modules, by name
     */
    List<String> errors(Map<String, String> modules) {
        Object found = page.evaluate(CHECK, List.of(modules, libraries, LIBRARIES));
        return ((List<?>) found).stream().map(String::valueOf).toList();
    }

    /** The version on the class path, so that only the build file names it. */
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
}
