package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.RequestOptions;
import dev.pgkq.app.BrowserExtension;
import dev.pgkq.rewards.people.PeopleQueue;
import dev.pgkq.rewards.people.PeopleSettings;
import dev.pgkq.rewards.people.Question;
import dev.pgkq.rewards.people.QueueStatus;
import dev.pgkq.rewards.people.Rating;
import dev.pgkq.rewards.people.RatingScale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The rating page in a real browser, with a simulated run. {@code -Dpgkq.screenshots=FOLDER} keeps screenshots.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@ResourceLock(BrowserExtension.BROWSER)
class RatingPageTest {
    private static final PeopleSettings SCALE = PeopleSettings.defaults(
                    Rating.SCALE, RatingScale.parse("0 fell at once .. 10 walks like a person"))
            .withGrace(Duration.ofMinutes(5));

    /** The browser logs every response other than 200; the page handles them. */
    @RegisterExtension
    static final BrowserExtension BROWSER = BrowserExtension.ignoring("Failed to load resource");

    @TempDir
    private Path folder = Path.of("");

    private Path run = Path.of("");
    private Dashboard server;

    @BeforeEach
    void serve() throws IOException {
        run = folder.resolve("walk");
        RatedRun.make(run, 1, 6);
        server = Dashboard.start(Dashboard.Settings.of(folder).withPort(0));
    }

    @AfterEach
    void end() {
        server.close();
    }

    private PeopleQueue queueOf(PeopleSettings settings, int episodes) {
        PeopleQueue queue = PeopleQueue.open(run, settings, InstantSource.system());
        queue.post(
                IntStream.range(0, episodes)
                        .mapToObj(i -> new Question("question" + i, 1, i))
                        .toList(),
                true);
        return queue;
    }

    private Page page(String name, int width, ColorScheme colours) {
        BrowserContext context = BROWSER.newContext(
                new NewContextOptions().setViewportSize(width, 844).setColorScheme(colours));
        Page page = BROWSER.open(context, server.address(), "rate.html?run=walk");
        page.locator("#name").fill(name);
        page.keyboard().press("Enter");
        return page;
    }

    private static String item(Page page) {
        page.waitForSelector("#item[data-ready=true]:not([hidden])");
        return String.valueOf(page.locator("#item").getAttribute("data-key"));
    }

    /** Waits for an item, because keys do nothing before, and presses a key. */
    private static void press(Page page, String key) {
        answer(page, () -> page.keyboard().press(key));
    }

    /** Answers an item and waits until the next one is shown; the message about the answer comes before it. */
    private static void answer(Page page, Runnable answer) {
        String before = item(page);
        answer.run();
        page.waitForFunction(
                "before => document.getElementById('item').hidden || document.getElementById('item').dataset.key !== before",
                before);
    }

    private static void awaitSaid(Page page, String text) {
        page.waitForSelector("#message:has-text(\"" + text + "\")");
    }

    private static void keepScreenshot(Page page, String name) throws IOException {
        String kept = System.getProperty("pgkq.screenshots");
        if (kept != null) {
            Files.createDirectories(Path.of(kept));
            page.screenshot(new Page.ScreenshotOptions().setFullPage(true).setPath(Path.of(kept, name + ".png")));
        }
    }

    @Test
    void anIterationCanBeRatedByKeyboardAlone() throws IOException {
        try (PeopleQueue queue = queueOf(SCALE, 3)) {
            Page page = page("<b>Ann</b>", 1200, ColorScheme.LIGHT);
            assertThat(item(page)).isEqualTo("question0");
            assertThat(page.locator("#rater").textContent())
                    .as("a name is text")
                    .isEqualTo("<b>Ann</b>");
            assertThat(page.locator("#counts").textContent()).contains("Iteration 1: 0 of 3 episodes rated");
            keepScreenshot(page, "rate-desktop-light");

            // the replay starts by itself; the space bar restarts it and rates nothing
            page.waitForFunction("() => Number(document.getElementById('first').dataset.step) > 5");
            page.evaluate(
                    "() => { window.least = Infinity; document.getElementById('first').addEventListener('replay-step',"
                            + " step => { window.least = Math.min(window.least, step.detail); }); }");
            page.keyboard().press("Space");
            page.waitForFunction("() => window.least === 0");
            assertThat(queue.status().rated()).isZero();

            press(page, "7");
            assertThat(item(page)).isEqualTo("question1");
            awaitSaid(page, "Rated 7");
            press(page, "x");
            press(page, "0");
            page.waitForSelector("#wait:not([hidden])");
            // the next status brings it
            page.waitForFunction(
                    "() => /^Iteration closes in [0-9]+ s$/.test(document.getElementById('countdown').textContent)");
            keepScreenshot(page, "rate-waiting-light");
            assertThat(queue.status().raters()).containsExactly(new QueueStatus.Rater("<b>Ann</b>", 3));

            page.keyboard().press("u");
            awaitSaid(page, "Undone");
            assertThat(item(page)).isEqualTo("question2");
            assertThat(queue.status().rated()).isEqualTo(2);
            press(page, "3");
            assertThat(queue.status().rated()).isEqualTo(3);
        }
        try (PeopleQueue queue = PeopleQueue.open(run, SCALE.withGrace(Duration.ZERO), InstantSource.system())) {
            assertThat(queue.closeIfDue()).isTrue();
            assertThat(queue.status().latest())
                    .extracting(result -> result.judgement().value())
                    .containsExactly(7.0, 10.0, 3.0);
        }
    }

    @Test
    void thePageAsksOneQuestionAndLinksToNothing() throws IOException {
        try (PeopleQueue queue = queueOf(SCALE.withGrace(Duration.ZERO), 1)) {
            Page page = page("Ann", 1200, ColorScheme.LIGHT);
            item(page);
            assertThat(page.locator("#question").textContent()).isEqualTo("How good is this?");
            assertThat(page.locator("#run").textContent()).isEqualTo("walk");
            assertThat(page.locator("a").count()).as("other pages show returns").isZero();
            press(page, "5");
            assertThat(queue.closeIfDue()).isTrue();
            page.waitForSelector("#wait:not([hidden])");
            Files.writeString(run.resolve("events.jsonl"), "{\"event\": \"finished\"}\n");
            page.waitForSelector("#wait-title:has-text('The run is finished')");
            assertThat(page.locator("#wait-reason").textContent()).contains("nothing left to rate");
            assertThat(page.locator("#wait-note").isHidden()).isTrue();
            assertThat(page.locator("#undo").isHidden()).isTrue();
            keepScreenshot(page, "rate-finished-light");
            page.setViewportSize(390, 844);
            keepScreenshot(page, "rate-finished-phone-light");
        }
    }

    /** Of the two episodes, one moves ten times as far as the other. */
    @Test
    void episodesThatAreComparedHaveOneScale() throws IOException {
        RatedRun.makeOfDifferentSizes(run);
        PeopleSettings compare = PeopleSettings.defaults(Rating.COMPARE, SCALE.scale());
        try (PeopleQueue queue = queueOf(compare, 2)) {
            Page page = page("Ann", 1200, ColorScheme.LIGHT);
            item(page);
            double desktop = scale(page, "first");
            assertThat(desktop).isPositive().isEqualTo(scale(page, "second"));
            keepScreenshot(page, "compare-scale-desktop-light");
            page.setViewportSize(390, 844);
            page.waitForFunction(
                    "before => document.getElementById('first').dataset.scale < before"
                            + " && document.getElementById('second').dataset.scale < before",
                    desktop);
            assertThat(scale(page, "first")).isPositive().isEqualTo(scale(page, "second"));
            keepScreenshot(page, "compare-scale-phone-light");
            assertThat(queue.status().items()).isEqualTo(1);
        }
    }

    /** Pixels per metre. */
    private static double scale(Page page, String host) {
        return Double.parseDouble(String.valueOf(page.locator("#" + host).getAttribute("data-scale")));
    }

    @Test
    @Tag("slow")
    void undoReportsThatTheIterationIsClosed() {
        try (PeopleQueue queue = queueOf(SCALE.withGrace(Duration.ZERO), 1)) {
            Page page = page("Ann", 1200, ColorScheme.LIGHT);
            item(page);
            press(page, "5");
            assertThat(queue.closeIfDue()).isTrue();
            page.keyboard().press("u");
            awaitSaid(page, "the iteration is closed");
            page.waitForSelector("#results-panel:has-text('episode 0 5.0')");
        }
    }

    @Test
    void onAPhoneEverythingFitsAndButtonsAreLarge() throws IOException {
        try (PeopleQueue queue = queueOf(SCALE, 3)) {
            Page page = page("Ann", 390, ColorScheme.DARK);
            item(page);
            keepScreenshot(page, "rate-phone-dark");
            assertThat(page.evaluate("() => document.documentElement.scrollWidth"))
                    .isEqualTo(390);
            Object smallest = page.evaluate(
                    "() => Math.min(...[...document.querySelectorAll('#answers button, #actions button')]"
                            + ".map(b => Math.min(b.getBoundingClientRect().width, b.getBoundingClientRect().height)))");
            assertThat(((Number) smallest).doubleValue()).isGreaterThanOrEqualTo(44);
            answer(page, () -> page.locator("#answers button[data-value='8']").click());
            awaitSaid(page, "Rated 8");
            answer(page, () -> page.locator("#skip").click());
            awaitSaid(page, "Skipped");
            assertThat(item(page)).isEqualTo("question2");
            assertThat(queue.status().rated()).isEqualTo(1);
        }
    }

    /** The trace has six episodes, and the queue asks for seven. */
    @Test
    @Tag("slow")
    void aMissingEpisodeCannotBeRatedButSkipped() throws IOException {
        try (PeopleQueue queue = queueOf(SCALE, 7)) {
            for (int i = 0; i < 6; i++) {
                queue.rate(RatedRun.ANN, "question" + i, 5);
            }
            Page page = page("Bob", 800, ColorScheme.LIGHT);
            page.waitForSelector("#first:has-text('not on disk')");
            assertThat(page.locator("#item").getAttribute("data-key")).isEqualTo("question6");
            assertThat(page.locator("#answers button:disabled").count()).isEqualTo(11);
            page.keyboard().press("4");
            page.keyboard().press("u");
            awaitSaid(page, "no rating to take back");
            page.keyboard().press("s");
            awaitSaid(page, "Skipped");
            assertThat(queue.status().rated())
                    .as("an episode that was not shown is not rated")
                    .isEqualTo(6);

            // the episode arrives late
            RatedRun.make(run, 1, 7);
            assertThat(item(page)).isEqualTo("question6");
            assertThat(page.locator("#answers button:disabled").count()).isZero();
            press(page, "6");
            page.waitForSelector("#wait:not([hidden])");
            page.waitForSelector("#counts:has-text('7 of 7')");
        }
    }

    @Test
    @Tag("slow")
    void comparisonsCanBeMadeByKeyboard() throws IOException {
        PeopleSettings compare =
                PeopleSettings.defaults(Rating.COMPARE, SCALE.scale()).withGrace(Duration.ZERO);
        try (PeopleQueue queue = queueOf(compare, 4)) {
            Page page = page("Ann", 1200, ColorScheme.DARK);
            item(page);
            keepScreenshot(page, "compare-desktop-dark");
            int pairs = queue.status().items();
            assertThat(pairs).isEqualTo(6);
            for (String key : List.of("a", "b", "t", "ArrowLeft", "ArrowRight")) {
                item(page);
                press(page, key);
            }
            item(page);
            page.setViewportSize(390, 844);
            keepScreenshot(page, "compare-phone-dark");
            assertThat(page.evaluate("() => document.documentElement.scrollWidth"))
                    .isEqualTo(390);
            press(page, "ArrowDown");
            page.waitForSelector("#wait:not([hidden])");
            assertThat(queue.status().rated()).isEqualTo(pairs);
            assertThat(queue.closeIfDue()).isTrue();
            page.waitForSelector("#results-panel:has-text('±')");
            keepScreenshot(page, "compare-results-phone-dark");
        }
    }

    @Test
    @Tag("slow")
    void anItemGoesToAnotherRaterWhenItsLeaseExpires() throws Exception {
        try (PeopleQueue queue = queueOf(SCALE, 1);
                Connection file = DriverManager.getConnection("jdbc:sqlite:" + PeopleQueue.file(run))) {
            Page ann = page("Ann", 800, ColorScheme.LIGHT);
            assertThat(item(ann)).isEqualTo("question0");
            Page bob = page("Bob", 800, ColorScheme.LIGHT);
            bob.waitForSelector("#wait-reason:has-text('Other raters')");
            // Ann's page renews the lease while it shows the item
            long until = until(file);
            advanceClock(ann, SCALE.lease().dividedBy(3).plusSeconds(1));
            while (until(file) == until) {
                ann.waitForTimeout(100);
            }
            assertThat(bob.locator("#item").isVisible()).isFalse();
            ann.context().close();
            try (Statement statement = file.createStatement()) {
                statement.execute("UPDATE pgkq_lease SET until = 0");
            }
            assertThat(item(bob)).isEqualTo("question0");
            press(bob, "4");
            assertThat(queue.status().raters()).contains(new QueueStatus.Rater("Bob", 1));
        }
    }

    private static long until(Connection file) throws SQLException {
        try (Statement statement = file.createStatement();
                ResultSet rows = statement.executeQuery("SELECT max(until) FROM pgkq_lease")) {
            return rows.getLong(1);
        }
    }

    /** Advances the clock of a page. */
    private static void advanceClock(Page page, Duration time) {
        page.evaluate("millis => { const now = Date.now; Date.now = () => now() + millis; }", (double) time.toMillis());
    }

    @Test
    @Tag("slow")
    void anItemThatIsBeingRatedIsNotRenewed() {
        try (PeopleQueue queue = queueOf(SCALE, 2)) {
            Page page = page("Ann", 800, ColorScheme.LIGHT);
            assertThat(item(page)).isEqualTo("question0");
            List<Route> held = new ArrayList<>();
            List<String> renewed = new ArrayList<>();
            page.route("**/rating/rate", held::add);
            page.onRequest(request -> {
                if (request.url().endsWith("/rating/renew")) {
                    renewed.add(request.postData());
                }
            });
            page.keyboard().press("5");
            page.waitForCondition(() -> !held.isEmpty());
            page.waitForResponse(
                    response -> response.url().endsWith("/rating"),
                    () -> advanceClock(page, SCALE.lease().dividedBy(3).plusSeconds(1)));
            page.waitForTimeout(1500);
            answer(page, held.getFirst()::resume);
            awaitSaid(page, "Rated 5");
            assertThat(item(page)).isEqualTo("question1");
            assertThat(renewed).noneMatch(body -> body.contains("question0"));
            assertThat(queue.status().rated()).isEqualTo(1);
        }
    }

    @Test
    void ratingRequiresTheRaterToken() {
        server.close();
        server = Dashboard.start(Dashboard.Settings.of(folder).withPort(0).withTokenFile(folder.resolve("tokens")));
        try (PeopleQueue queue = queueOf(SCALE, 1);
                BrowserContext context = BROWSER.newContext()) {
            String next = server.address() + "api/runs/walk/rating/next";
            assertThat(post(context, next, "", Map.of()).status()).isEqualTo(401);
            assertThat(post(context, server.address() + "api/login", "", Map.of("token", "wrong"))
                            .status())
                    .isEqualTo(401);
            assertThat(post(context, next, "", Map.of()).status()).isEqualTo(401);

            Tokens tokens = server.tokens().orElseThrow();
            String csrf = csrf(post(context, server.address() + "api/login", "", Map.of("token", tokens.viewer())));
            assertThat(context.request()
                            .get(server.address() + "api/runs/walk/rating")
                            .status())
                    .isEqualTo(200);
            assertThat(post(context, next, csrf, Map.of()).status())
                    .as("viewers cannot rate")
                    .isEqualTo(403);

            csrf = csrf(post(context, server.address() + "api/login", "", Map.of("token", tokens.rater())));
            assertThat(post(context, next, csrf, Map.of()).status())
                    .as("without a name")
                    .isEqualTo(409);
            assertThat(post(context, next, "", Map.of()).status())
                    .as("without CSRF token")
                    .isEqualTo(403);
            post(context, server.address() + "api/session", csrf, Map.of("name", "Ann"));
            assertThat(post(context, next, csrf, Map.of()).text()).contains("question0");
            assertThat(post(context, next.replace("next", "rate"), csrf, Map.of("key", "question0", "value", 11))
                            .text())
                    .contains("from 0 to 10");
            assertThat(queue.status().rated()).isZero();
        }
    }

    private static APIResponse post(BrowserContext context, String address, String csrf, Map<String, Object> body) {
        return context.request()
                .post(
                        address,
                        RequestOptions.create().setHeader("X-CSRF-Token", csrf).setData(body));
    }

    private static String csrf(APIResponse response) {
        return Json.object(response.text()).path("csrf").stringValue();
    }
}
