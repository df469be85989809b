package dev.pgkq.app.report;

import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/**
 * The system's Chromium. Without one a test is skipped, but never where {@code CI} is set: {@code .ci/run} sees to it that
 * it is there.
 */
public final class Browser implements AutoCloseable {
    private final Playwright playwright;
    private final com.microsoft.playwright.Browser browser;

    private Browser(Path program) {
        // The driver is in the jars; only the browser it would fetch is not wanted.
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(program)
                        .setArgs(List.of("--no-sandbox", "--disable-gpu")));
    }

    public static Browser open() {
        Optional<Path> program = find();
        if (program.isEmpty()) {
            String message = "no Chromium on the PATH; install the package chromium (apt install chromium)";
            if (System.getenv("CI") != null) {
                throw new AssertionError(message);
            }
            Assumptions.abort(message);
        }
        return new Browser(program.orElseThrow());
    }

    public com.microsoft.playwright.Browser get() {
        return browser;
    }

    private static Optional<Path> find() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(path)
                .flatMap(folder -> List.of("chromium", "chromium-browser", "google-chrome").stream()
                        .map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
