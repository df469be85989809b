package dev.pgkq.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import dev.pgkq.app.BrowserExtension;
import dev.pgkq.app.Tool;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.study.SyntheticRuns;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.Variant;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The report in a real browser without a network. */
@ResourceLock(BrowserExtension.BROWSER)
class ReportInBrowserTest {
    /** Labels of a figure that overlap each other or extend beyond the figure. */
    private static final String BAD_TEXTS = """
            () => [...document.querySelectorAll('figure svg')].flatMap(svg => {
              const box = svg.getBoundingClientRect();
              const texts = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
              const out = texts.filter(([_, r]) => r.left < box.left || r.right > box.right || r.top < box.top
                  || r.bottom > box.bottom).map(([t]) => 'outside: ' + t);
              const pairs = texts.flatMap(([a, r], i) => texts.slice(i + 1).filter(([_, s]) =>
                  Math.min(r.right, s.right) - Math.max(r.left, s.left) > 1
                  && Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top) > 3).map(([b]) => a + ' on ' + b));
              return out.concat(pairs);
            })""";

    @TempDir
    private static Path folder = Path.of("");

    @RegisterExtension
    static final BrowserExtension BROWSER = new BrowserExtension();

    @BeforeAll
    static void writeAReport() {
        SyntheticRuns runs = SyntheticRuns.under(folder, 40);
        runs.grid(List.of("Hopper-v4", "InvertedDoublePendulum-v4"), 3);
        runs.run("Hopper-v4", Algorithm.named("ppo-kq"), 4, 30, "failed", Map.of("message", "out of <luck>"));
        SyntheticRuns.under(folder.resolve("other"), 40)
                .with(Setting.QUADRATURE, "herding")
                .finished("Hopper-v4", Algorithm.named("vpg-kq"), 1);
        Tool.Result result = Tool.run("plot", folder.toString(), "--title", "Quadrature & <friends>");
        assertThat(result.exitCode()).as(result.err()).isZero();
    }

    private static Page open(int width) {
        BrowserContext context =
                BROWSER.newContext(new NewContextOptions().setOffline(true).setViewportSize(width, 900));
        String report = folder.resolve("report.html").toUri().toString();
        return BROWSER.open(context, "file:", report.substring("file:".length()));
    }

    @Test
    void itShowsFiguresTablesAndFailedRuns() {
        Page page = open(1280);
        assertThat(page.title()).isEqualTo("Quadrature & <friends>");
        assertThat(page.locator("h1").innerText()).isEqualTo("Quadrature & <friends>");
        // one over all tasks, two panels, and four for each of four comparisons
        assertThat(page.locator("figure svg").count()).isEqualTo(1 + 2 + 4 * 4);
        assertThat(page.evaluate("() => new Set([...document.querySelectorAll('.pair figure')]"
                        + ".map(figure => Math.round(figure.getBoundingClientRect().left))).size"))
                .as("columns of figures")
                .isEqualTo(2);
        assertThat(page.locator("table").count()).isEqualTo(2 + 4 + 4 + 1);
        assertThat(page.locator("main").innerText()).contains("failed: out of <luck>", "kq, quadrature herding");
        page.locator("details summary").click();
        assertThat(page.locator("details table").isVisible()).isTrue();
        assertThat(page.locator("details tbody tr").count()).isEqualTo(2 * 2 * 3 * Variant.values().length + 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {320, 700, 1280, 2200})
    @Tag("slow")
    void itFitsAnyWindow(int width) {
        Page page = open(width);
        assertThat(page.evaluate("() => document.documentElement.scrollWidth")).isEqualTo(width);
        if (width == 2200) {
            assertThat((List<?>) page.evaluate(BAD_TEXTS)).isEmpty();
        }
    }
}
