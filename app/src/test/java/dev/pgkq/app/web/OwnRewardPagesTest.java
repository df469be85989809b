package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.pgkq.app.BrowserExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What pages show of runs whose reward is not the task's own, and of runs that cannot be compared. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@ResourceLock(BrowserExtension.BROWSER)
class OwnRewardPagesTest {
    private static final int ITERATIONS = 6;

    @RegisterExtension
    static final BrowserExtension BROWSER = new BrowserExtension();

    @TempDir
    private Path folder = Path.of("");

    private TracedRun judged;
    private Dashboard server;

    @BeforeEach
    void serve() throws IOException {
        judged = TracedRun.make(folder.resolve("judged"), ITERATIONS);
        judged.set("reward", "'exec:judge'");
        server = Dashboard.start(Dashboard.Settings.of(folder).withPort(0));
    }

    @AfterEach
    void end() {
        server.close();
    }

    private Page open(BrowserContext context, String path) {
        return BROWSER.open(context, server.address(), path);
    }

    private Page openRun(BrowserContext context) {
        Page page = open(context, "run.html?run=judged");
        page.locator("#map circle.episode").first().waitFor();
        page.locator("#replay canvas").first().waitFor();
        return page;
    }

    private static String tip(Page page, String chart, String key) {
        page.locator(chart + " svg").focus();
        page.keyboard().press(key);
        return page.locator(chart + " .tip").innerText();
    }

    @Test
    void thePaidReturnIsTheReturnAndTheTasksOwnIsASecondLine() {
        try (BrowserContext context = BROWSER.newContext()) {
            Page page = openRun(context);
            assertThat(page.locator("#fact-paid-return-name").innerText()).isEqualTo("Return by your reward");
            assertThat(page.locator("#fact-return").innerText())
                    .startsWith("5")
                    .endsWith("by the task's own reward 29.5 ± 0.75");
            assertThat(tip(page, "#curve", "End")).isEqualTo("reward evaluations 24, iteration 6\n5");
            assertThat(page.locator("#curve .axis-label").last().textContent()).isEqualTo("mean return by your reward");
            assertThat(page.locator("#task-curve-part h3").innerText()).isEqualTo("By the task's own reward");
            assertThat(tip(page, "#task-curve", "End")).endsWith("29.5 ± 0.75");
            assertThat(page.locator("#replay-facts").innerText())
                    .contains("return by your reward 13.5", "by the task's own reward 32.5");
            Page list = open(context, "");
            list.locator("#chart path.line").waitFor();
            assertThat(list.locator(".of-return").innerText().lines()).containsExactly("5", "task's own 29.5");
            assertThat(tip(list, "#chart .chart", "End")).isEqualTo("reward evaluations 24\nppo-kq-plus: 5");
        }
    }

    @Test
    void theMapHasTheColoursOfPaidReturns() {
        try (BrowserContext context = BROWSER.newContext()) {
            Page page = openRun(context);
            String colours = """
                    () => [...document.querySelectorAll('#map circle.episode')]
                        .map(dot => dot.style.fill).filter(fill => fill !== 'var(--unknown)').length""";
            assertThat(page.evaluate(colours)).isEqualTo(TracedRun.CHOSEN.size());
            assertThat(page.locator("#ramp").innerText())
                    .contains("≤ 14.2", "≥ 24.8", "return by your reward", "not paid for");
            assertThat(page.locator("#colour button:visible").allInnerTexts())
                    .containsExactly("Your reward", "Predicted", "Length", "Task's own");
            page.locator("#colour button[data-value='task']").click();
            page.waitForFunction(
                    "() => document.querySelector('#ramp').textContent.includes(\"the task's own reward\")");
            assertThat(page.evaluate(colours)).isEqualTo(TracedRun.EPISODES);
            assertThat(page.locator("#ramp").innerText()).doesNotContain("not paid for");
        }
    }

    @Test
    @Tag("slow")
    void aTaskWithoutARewardOfItsOwnHasOneLine() throws IOException {
        judged.withoutTaskReward();
        try (BrowserContext context = BROWSER.newContext()) {
            Page page = openRun(context);
            page.locator("#curve path.line").waitFor();
            assertThat(page.locator("#task-curve").isVisible()).isFalse();
            assertThat(page.locator("#fact-return").innerText()).isEqualTo("5");
            assertThat(page.locator("#colour button:visible").allInnerTexts()).doesNotContain("Task's own");
        }
    }

    @Test
    void everyTaskAndRewardHasAPanelOfItsOwn() throws IOException {
        TracedRun.make(folder.resolve("again"), 3).set("reward", "'exec:judge'");
        TracedRun.make(folder.resolve("plain"), 3);
        TracedRun.make(folder.resolve("pendulum"), 3).set("env", "Pendulum-v1");
        try (BrowserContext context = BROWSER.newContext()) {
            Page page = open(context, "#run=judged&run=again&run=plain&run=pendulum");
            page.waitForFunction("() => document.querySelectorAll('#chart path.line').length === 4");
            Locator panels = page.locator("#chart .comparison");
            assertThat(panels.locator("h3").allInnerTexts())
                    .containsExactly(
                            "InvertedDoublePendulum-v4", "InvertedDoublePendulum-v4 reward exec:judge", "Pendulum-v1");
            assertThat(panels.nth(1).locator("path.line").count()).isEqualTo(2);
            // both are ppo-kq-plus with seed 1, so one line has symbols, as its legend says
            assertThat(panels.nth(1).locator(".chart path.symbol").count()).isPositive();
            assertThat(panels.nth(1).locator(".legend li").allInnerTexts()).containsExactly("again", "judged");
            assertThat(panels.nth(1).locator(".legend path.symbol").count()).isEqualTo(1);
            assertThat(panels.nth(0).locator("path.symbol").count()).isZero();
            page.getByLabel("Compare pendulum").uncheck();
            page.waitForFunction("() => document.querySelectorAll('#chart .comparison').length === 2");
        }
    }

    @Test
    void termsAreExplainedToPointersKeysAndFingers() {
        try (BrowserContext context = BROWSER.newContext(
                new NewContextOptions().setViewportSize(390, 844).setHasTouch(true))) {
            Page page = openRun(context);
            assertThat((List<?>) page.evaluate("""
                    () => [...document.querySelectorAll('[data-term]')].map(term =>
                        document.getElementById(term.getAttribute('aria-describedby')).textContent.split(' ').length)"""))
                    .hasSize(8)
                    .allSatisfy(words -> assertThat((Integer) words).isBetween(15, 50));
            Locator shown = page.locator(".term-tip:visible");
            Locator term = page.locator("[data-term='wce']");
            term.hover();
            assertThat(shown.innerText()).startsWith("Worst-case error");
            page.locator("#wce").hover();
            page.waitForFunction("() => !document.querySelector('.term-tip:not([hidden])')");
            term.focus();
            assertThat(shown.innerText()).startsWith("Worst-case error");
            page.keyboard().press("Escape");
            assertThat(shown.count()).isZero();
            page.locator("[data-term='sigma']").tap();
            assertThat(shown.innerText()).contains("e^σ");
            assertThat(page.evaluate("() => document.documentElement.scrollWidth"))
                    .isEqualTo(390);
        }
    }

    /** Ten iterations of 2 s, in which people took an hour each. */
    @Test
    void timesToGoDoNotCountPeople() {
        String text = """
                ([state, ratable]) => import('/js/remaining.js').then(({ remainingText }) => remainingText(
                    { state, ratable, iterations: 100 },
                    { rows: Array(10).fill([]), stages: () => [{ name: 'sample', seconds: Array(10).fill(2) },
                        { name: 'reward', seconds: Array(10).fill(3600) }] }))""";
        try (BrowserContext context = BROWSER.newContext()) {
            Page page = open(context, "");
            assertThat(page.evaluate(text, List.of("running", true))).isEqualTo("about 3 min left, without ratings");
            assertThat(page.evaluate(text, List.of("waiting", true))).isEqualTo("waiting for people");
            assertThat(page.evaluate(text, List.of("waiting", false))).isEqualTo("about 3 d left");
            assertThat(page.evaluate(text, List.of("finished", true))).isEqualTo("");
        }
    }
}
