package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.pgkq.advise.Items;
import dev.pgkq.app.BrowserExtension;
import dev.pgkq.rewards.advise.Advice;
import dev.pgkq.rewards.advise.DurableAdviser;
import dev.pgkq.rewards.advise.DurableAdviser.Options;
import dev.pgkq.rewards.advise.Question;
import dev.pgkq.rewards.advise.Score;
import dev.pgkq.rewards.desk.Budget;
import dev.pgkq.select.Pace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The page of an adviser in a real browser: in the dashboard, and at the address of its own service. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@ResourceLock(BrowserExtension.BROWSER)
class AdviserPageTest {
    private static final int ITEMS = 40;
    private static final int SELECT = 5;
    private static final String EVIL = "<img src=x onerror=a()>";

    /** Parts that are wider than the page. */
    private static final String CUT_OFF = """
            () => [...document.querySelectorAll('main, .facts > div, .panel, .bar, .map-side > section')]
                .filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent.trim().slice(0, 60))""";

    @RegisterExtension
    static final BrowserExtension BROWSER = BrowserExtension.ignoring("status of 401");

    @TempDir
    private Path folder = Path.of("");

    private DurableAdviser adviser;
    private Advice last;

    /** Three complete rounds, and one that misses three of five scores; one of these was given up. */
    @BeforeEach
    void ask() {
        adviser = DurableAdviser.open(
                folder.resolve("judge"),
                Options.defaults().withPace(new Pace.Fixed(SELECT)).withBudget(new Budget(30, 60, 1)));
        for (int round = 1; round <= 4; round++) {
            Advice advice = adviser.ask(Question.of(items(round)).withIds(ids(round)));
            tell(advice, IntStream.range(0, round < 4 ? SELECT : 2).toArray());
        }
        last = adviser.abandon(4, List.of(adviser.round(4).ids().get(4)), false, false);
    }

    @AfterEach
    void close() {
        adviser.close();
    }

    private static Items items(int round) {
        Random random = new Random(round);
        float[] features = new float[ITEMS * 4];
        for (int i = 0; i < features.length; i++) {
            features[i] = (float) (random.nextGaussian() + (i / 4 % 3));
        }
        return Items.points(4, features);
    }

    private static List<String> ids(int round) {
        return IntStream.range(0, ITEMS)
                .mapToObj(i -> i == 0 ? EVIL : "item-" + round + "-" + i)
                .toList();
    }

    private static double score(int round, int item) {
        return 2 * items(round).features()[4 * item] - items(round).features()[4 * item + 1];
    }

    private void tell(Advice advice, int... places) {
        for (int place : places) {
            double value = score(advice.round(), advice.indices()[place]);
            Score score = new Score(new double[] {value}, OptionalDouble.of(0.5));
            adviser.tell(advice.round(), Map.of(advice.ids().get(place), score), false);
        }
    }

    private static BrowserContext context(int width) {
        return BROWSER.newContext(new NewContextOptions().setViewportSize(width, 900));
    }

    private static void awaitText(Page page, String selector, String text) {
        page.locator(selector)
                .filter(new Locator.FilterOptions().setHasText(text))
                .first()
                .waitFor();
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace("−", "-").replace(",", "").replace(" %", ""));
    }

    @Test
    void theListLeadsToThePageThatShowsRoundsChoiceAndBudgetLive() {
        try (Dashboard server = Dashboard.start(Dashboard.Settings.of(folder).withPort(0));
                BrowserContext context = context(1280)) {
            Page page = BROWSER.open(context, server.address(), "");
            awaitText(page, "#advisers-body tr", "20 of 30");
            assertThat(page.locator("#empty").isVisible()).isFalse();
            assertThat(page.locator("#advisers-body tr").innerText()).contains("judge", "running", "4", "17");
            page.locator("#advisers-body a").click();

            awaitText(page, "#map-summary", "4 of 40 items chosen, 2 not scored yet, 1 abandoned");
            assertThat(page.locator("#state").innerText()).isEqualTo("running");
            assertThat(page.locator("#fact-rounds").innerText()).contains("4", "1 open");
            assertThat(page.locator("#fact-calls").innerText()).contains("20", "of 30");
            assertThat(page.locator("#fact-answers").innerText()).contains("17", "3 without a score");
            assertThat(page.locator("#fact-cost").innerText()).contains("8.5", "of 60");
            assertThat(page.locator("#map circle.episode").count()).isEqualTo(ITEMS);
            assertThat(page.locator("#map circle.chosen").count()).isEqualTo(4);
            assertThat(page.locator("#map path.abandoned").count()).isEqualTo(1);
            assertThat(page.locator("#rounds tr").count()).isEqualTo(4);
            List<String> expected = new ArrayList<>(last.ids());
            expected.addAll(last.abandoned());
            assertThat(page.locator("#items th").allInnerTexts()).isEqualTo(expected);
            List<String> first = page.locator("#items tr").first().locator("td").allInnerTexts();
            assertThat(number(first.get(0))).isCloseTo(100 * last.weights()[0], within(0.6));
            assertThat(number(first.get(2))).isCloseTo(score(4, last.indices()[0]), within(0.006));
            assertThat(page.locator("#items tr").nth(4).innerText()).contains("abandoned");
            assertThat(page.locator("#predicted circle.dot").count()).isEqualTo(2);
            keepScreenshot(page, "adviser-open");

            // the item that is selected in the map is marked in the list
            page.locator("#map svg").focus();
            page.keyboard().press("Home");
            page.keyboard().press("Enter");
            String heaviest = last.ids().get(heaviest(last.weights()));
            awaitText(page, "#items tr.selected", heaviest);

            tell(last, 2, 3);
            awaitText(page, "#map-summary", "4 of 40 items chosen, all scored, 1 abandoned");
            awaitText(page, "#fact-answers", "19");
            assertThat(page.locator("#colour button[aria-pressed=true]").innerText())
                    .isEqualTo("Estimate");
            double estimate = number(
                    page.locator("#items tr").first().locator("td").last().innerText());
            assertThat(estimate)
                    .isCloseTo(adviser.estimates(4).estimates().orElseThrow().mean()[last.indices()[0]], within(0.006));

            page.locator("#rounds button").nth(2).click();
            awaitText(page, "#shown-round", "Round 2");
            assertThat(page.locator("#follow").isChecked()).isFalse();
            assertThat(page.locator("#items th").allInnerTexts())
                    .isEqualTo(adviser.round(2).ids());
            assertThat(page.locator("#errors path.line").count()).isEqualTo(3);
            assertAccessible(page);
            keepScreenshot(page, "adviser");
        }
    }

    /** Everything fits, is readable and has a name. */
    private static void assertAccessible(Page page) {
        for (String check : List.of(
                CUT_OFF, PagesInBrowserTest.BAD_TEXTS, PagesInBrowserTest.PALE_TEXTS, PagesInBrowserTest.NAMELESS)) {
            assertThat((List<?>) page.evaluate(check)).isEmpty();
        }
    }

    private static int heaviest(double[] weights) {
        return IntStream.range(0, weights.length)
                .reduce((a, b) -> weights[b] > weights[a] ? b : a)
                .orElseThrow();
    }

    @Test
    void theServiceShowsThePageAtItsOwnAddressAlsoOnASmallDarkScreen() {
        try (AdviserServer server = AdviserServer.start(AdviserServer.Settings.at(0), adviser, "test");
                BrowserContext context = BROWSER.newContext(
                        new NewContextOptions().setViewportSize(380, 800).setColorScheme(ColorScheme.DARK))) {
            Page page = BROWSER.open(context, server.address(), "");
            awaitText(page, "#map-summary", "4 of 40 items chosen");
            assertThat(page.title()).isEqualTo("judge – pgkq");
            assertThat(page.locator("#all").isVisible()).isFalse();
            assertAccessible(page);
            keepScreenshot(page, "adviser-narrow");
        }
    }

    @Test
    void aServiceWithoutRoundsSaysSo() {
        try (DurableAdviser fresh = DurableAdviser.open(folder.resolve("fresh"), Options.defaults());
                AdviserServer server = AdviserServer.start(AdviserServer.Settings.at(0), fresh, "test");
                BrowserContext context = context(900)) {
            Page page = BROWSER.open(context, server.address(), "");
            awaitText(page, "#empty", "No rounds yet");
            assertThat(page.locator("#round-panel").isVisible()).isFalse();
            fresh.ask(Question.of(items(1)).withPace(new Pace.Fixed(2)));
            awaitText(page, "#map-summary", "2 of 40 items chosen, 2 not scored yet");
            assertThat(page.locator("#fact-calls").innerText()).contains("no limit");
        }
    }

    @Test
    void whereATokenIsRequiredTheViewersOpensThePage() {
        Path tokens = folder.resolve("tokens");
        AdviserServer.Settings settings = new AdviserServer.Settings("127.0.0.1", 0, List.of(), Optional.of(tokens));
        try (AdviserServer server = AdviserServer.start(settings, adviser, "test");
                BrowserContext context = context(900)) {
            Page page = BROWSER.open(context, server.address(), "");
            page.waitForURL(server.address() + "login.html");
            page.locator("#token").fill(server.tokens().orElseThrow().viewer());
            page.locator("#login button").click();
            awaitText(page, "#map-summary", "4 of 40 items chosen");
        }
    }

    private static void keepScreenshot(Page page, String name) {
        String kept = System.getProperty("pgkq.screenshots");
        if (kept != null) {
            page.screenshot(new Page.ScreenshotOptions().setFullPage(true).setPath(Path.of(kept, name + ".png")));
        }
    }
}
