package dev.pgkq.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Tests in a real browser: register one as a static field. All test classes share one instance of the system's Chromium, which
 * starts when the first page is opened. Contexts are closed after each test, or after all tests if they were opened before the
 * first. A test fails if one of its pages reports a problem: a console message, an uncaught error, a dialog, or a request to
 * another server. Test classes take turns: annotate them with a {@code ResourceLock} of {@link #BROWSER}.
 *
 * <p>Without Chromium a test is skipped, except where {@code CI} is set: {@code .ci/run} makes sure that it is installed.
 */
public final class BrowserExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
    /** The resource that test classes share. */
    public static final String BROWSER = "browser";

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(BrowserExtension.class);

    private final List<String> ignored;
    private final List<String> problems = new ArrayList<>();
    private final List<BrowserContext> ofClass = new ArrayList<>();
    private final List<BrowserContext> ofTest = new ArrayList<>();
    private ExtensionContext.@Nullable Store store;

    private BrowserExtension(List<String> ignored) {
        this.ignored = ignored;
    }

    public BrowserExtension() {
        this(List.of());
    }

    /** @param ignored parts of messages that are no problem in any test of the class */
    public static BrowserExtension ignoring(String... ignored) {
        return new BrowserExtension(List.of(ignored));
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        store = context.getRoot().getStore(NAMESPACE);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        ofClass.addAll(ofTest);
        ofTest.clear();
        problems.clear();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        closeAll(ofTest);
        assertThat(problems).as("problems that pages report").isEmpty();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        closeAll(ofClass);
    }

    private static void closeAll(List<BrowserContext> contexts) {
        contexts.forEach(BrowserContext::close);
        contexts.clear();
    }

    public BrowserContext newContext() {
        return newContext(new Browser.NewContextOptions());
    }

    public BrowserContext newContext(Browser.NewContextOptions options) {
        BrowserContext context = chromium().newContext(options);
        ofTest.add(context);
        return context;
    }

    private Browser chromium() {
        return Objects.requireNonNull(store)
                .computeIfAbsent(Chromium.class, _ -> new Chromium(), Chromium.class)
                .browser;
    }

    /**
     * Opens a page.
     *
     * @param base beginning of the addresses that the page may request
     * @param path rest of the page's own address
     */
    public Page open(BrowserContext context, String base, String path) {
        Page page = context.newPage();
        page.onConsoleMessage(message -> add(message.type() + ": " + message.text()));
        page.onPageError(this::add);
        page.onDialog(dialog -> {
            add("dialog: " + dialog.message());
            dialog.dismiss();
        });
        page.onRequest(request -> {
            if (!request.url().startsWith(base)) {
                add("request to " + request.url());
            }
        });
        page.navigate(base + path);
        return page;
    }

    private void add(String problem) {
        if (ignored.stream().noneMatch(problem::contains)) {
            problems.add(problem);
        }
    }

    /** Drops the problems of this test that contain a text, because the test causes them. */
    public void dropProblems(String containing) {
        problems.removeIf(problem -> problem.contains(containing));
    }

    /** The system's Chromium; JUnit closes it after all tests. */
    private static final class Chromium implements AutoCloseable {
        private final Playwright playwright;
        private final Browser browser;

        Chromium() {
            Path program = find();
            // the jars contain the driver; do not download a browser
            playwright = Playwright.create(
                    new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
            browser = playwright
                    .chromium()
                    .launch(new BrowserType.LaunchOptions()
                            .setExecutablePath(program)
                            .setArgs(List.of("--no-sandbox", "--disable-gpu")));
        }

        private static Path find() {
            String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
            Optional<Path> program = Pattern.compile(Pattern.quote(File.pathSeparator))
                    .splitAsStream(path)
                    .flatMap(folder -> List.of("chromium", "chromium-browser", "google-chrome").stream()
                            .map(name -> Path.of(folder, name)))
                    .filter(Files::isExecutable)
                    .findFirst();
            if (program.isEmpty()) {
                String message = "no Chromium on the PATH; install the package chromium (apt install chromium)";
                if (System.getenv("CI") != null) {
                    throw new AssertionError(message);
                }
                Assumptions.abort(message);
            }
            return program.orElseThrow();
        }

        @Override
        public void close() {
            browser.close();
            playwright.close();
        }
    }
}
