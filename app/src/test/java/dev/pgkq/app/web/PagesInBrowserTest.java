package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ElementHandle;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import dev.pgkq.app.BrowserExtension;
import dev.pgkq.app.trace.TraceWriter;
import dev.pgkq.env.Environment;
import dev.pgkq.env.Figure;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.rewards.ledger.EvaluationId;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.people.PeopleQueue;
import dev.pgkq.rewards.people.PeopleSettings;
import dev.pgkq.rewards.people.Question;
import dev.pgkq.rewards.people.Rating;
import dev.pgkq.rewards.people.RatingScale;
import dev.pgkq.rewards.request.Reply;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of runs and the page of a run in a real browser with a real server. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@ResourceLock(BrowserExtension.BROWSER)
class PagesInBrowserTest {
    private static final String EVIL = "<img src=x onerror=alert(1)>";
    private static final int ITERATIONS = 6;

    /** Chart labels that overlap each other or extend beyond their chart. */
    static final String BAD_TEXTS = """
            () => [...document.querySelectorAll('.chart svg')].filter(svg => svg.clientWidth > 0).flatMap(svg => {
              const box = svg.getBoundingClientRect();
              const texts = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
              const out = texts.filter(([_, r]) => r.left < box.left - 1 || r.right > box.right + 1 || r.top < box.top - 1
                  || r.bottom > box.bottom + 1).map(([t]) => 'outside: ' + t);
              const pairs = texts.flatMap(([a, r], i) => texts.slice(i + 1).filter(([_, s]) =>
                  Math.min(r.right, s.right) - Math.max(r.left, s.left) > 1
                  && Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top) > 4).map(([b]) => a + ' on ' + b));
              return out.concat(pairs);
            })""";

    /** Elements whose content does not fit. */
    private static final String CUT_OFF = """
            () => [...document.querySelectorAll('.facts > div, .panel, .bar')].filter(e => e.scrollWidth > e.clientWidth + 1)
                .map(e => e.textContent.trim().slice(0, 60))""";

    /** Texts with less contrast to their background than WCAG level AA requires: 4.5, or 3 for large text. */
    static final String PALE_TEXTS = """
            () => {
              const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
              const channels = colour => {
                context.clearRect(0, 0, 1, 1);
                context.fillStyle = colour;
                context.fillRect(0, 0, 1, 1);
                return [...context.getImageData(0, 0, 1, 1).data];
              };
              const light = ([r, g, b]) => {
                const linear = v => v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4;
                return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
              };
              const ground = element => {
                for (let at = element; at; at = at.parentElement) {
                  const colour = channels(getComputedStyle(at).backgroundColor);
                  if (colour[3] === 255) {
                    return colour;
                  }
                }
                return [255, 255, 255, 255];
              };
              const pale = [];
              for (const element of document.querySelectorAll('body *')) {
                const own = [...element.childNodes].some(n => n.nodeType === 3 && n.textContent.trim() !== '');
                const box = element.getBoundingClientRect();
                if (!own || box.width === 0 || element.matches(':disabled') || element.closest('.unseen')) {
                  continue;
                }
                const style = getComputedStyle(element);
                const ink = light(channels(element instanceof SVGElement ? style.fill : style.color));
                const paper = light(ground(element));
                const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
                const size = parseFloat(style.fontSize);
                const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
                if (contrast < (large ? 3 : 4.5)) {
                  pale.push(contrast.toFixed(2) + ' ' + element.tagName + ' ' + element.textContent.trim().slice(0, 40));
                }
              }
              return pale;
            }""";

    /** Controls without an accessible name. */
    static final String NAMELESS = """
            () => [...document.querySelectorAll('button, input, select, a[href], svg[tabindex], canvas, progress')]
                .filter(e => e.getClientRects().length > 0 && e.getAttribute('aria-hidden') !== 'true')
                .filter(e => !(e.getAttribute('aria-label') || e.textContent.trim() || (e.labels && e.labels.length > 0)))
                .map(e => e.outerHTML.slice(0, 80))""";

    @RegisterExtension
    static final BrowserExtension BROWSER = new BrowserExtension();

    @TempDir
    private Path folder = Path.of("");

    private TracedRun run;
    private Dashboard server;

    @BeforeEach
    void serve() throws IOException {
        run = TracedRun.make(folder.resolve("live"), ITERATIONS);
        server = Dashboard.start(Dashboard.Settings.of(folder).withPort(0));
    }

    @AfterEach
    void end() {
        server.close();
    }

    private Page open(BrowserContext context, String path) {
        return BROWSER.open(context, server.address(), path);
    }

    /** Opens the page of the run and waits for its map and replay. */
    private Page openRun(BrowserContext context) {
        return openRun(context, "live");
    }

    private Page openRun(BrowserContext context, String name) {
        Page page = open(context, "run.html?run=" + name);
        page.locator("#map circle.episode").first().waitFor();
        page.locator("#replay canvas").first().waitFor();
        return page;
    }

    private static BrowserContext desktop() {
        return BROWSER.newContext(new NewContextOptions().setViewportSize(1280, 800));
    }

    private static double number(Locator mark, String attribute) {
        return Double.parseDouble(mark.getAttribute(attribute));
    }

    /** Waits until the first line of a chart has the given number of points. */
    private static void awaitPoints(Page page, String chart, int points) {
        page.waitForFunction(
                "([chart, points]) => document.querySelector(chart + ' path.line')?.getAttribute('d').split(/[ML]/).length - 1 === points",
                List.of(chart, points));
    }

    @Test
    void figuresMoveAsTheirClosedFormsSay() {
        // as in Hopper-v4: a torso that slides and tilts, a thigh, and a shank whose joint is not at its frame's origin
        String leg = """
                ([x, z, tilt, hip, knee]) => import('/js/figure.js').then(({ capsules }) => capsules({
                  bodies: [{ parent: -1, at: [0, 1.25], angle: 0 }, { parent: 0, at: [0, -0.2], angle: 0 },
                           { parent: 1, at: [0, -0.7], angle: 0 }],
                  joints: [{ body: 0, kind: 'slide', axis: [1, 0], at: [0, 0], state: 0, zero: 0 },
                           { body: 0, kind: 'slide', axis: [0, 1], at: [0, 0], state: 1, zero: 1.25 },
                           { body: 0, kind: 'hinge', sign: 1, at: [0, 0], state: 2, zero: 0 },
                           { body: 1, kind: 'hinge', sign: -1, at: [0, 0], state: 3, zero: 0 },
                           { body: 2, kind: 'hinge', sign: -1, at: [0, 0.25], state: 4, zero: 0 }],
                  shapes: [{ body: 1, from: [0, 0], to: [0, -0.45], radius: 0.05 },
                           { body: 2, from: [0, 0.25], to: [0, -0.25], radius: 0.04 },
                           { body: -1, from: [1, 2], to: [3, 4], radius: 1 }],
                }, [x, z, tilt, hip, knee]).flatMap(({ from, to }) => [...from, ...to]))""";
        try (BrowserContext context = desktop()) {
            Page page = open(context, "");
            for (double[] state :
                    new double[][] {{0, 1.25, 0, 0, 0}, {2, 1.1, 0.3, -0.5, -1.2}, {-1, 0.9, -0.7, -2, -0.1}}) {
                List<?> found = (List<?>) page.evaluate(leg, List.of(state[0], state[1], state[2], state[3], state[4]));
                // a rod of length l at angle a ends at l (sin a, cos a)
                double thigh = state[2] - state[3];
                double shank = thigh - state[4];
                double hipX = state[0] - 0.2 * Math.sin(state[2]);
                double hipZ = state[1] - 0.2 * Math.cos(state[2]);
                double kneeX = hipX - 0.45 * Math.sin(thigh);
                double kneeZ = hipZ - 0.45 * Math.cos(thigh);
                double[] expected = {
                    hipX,
                    hipZ,
                    kneeX,
                    kneeZ,
                    kneeX,
                    kneeZ,
                    kneeX - 0.5 * Math.sin(shank),
                    kneeZ - 0.5 * Math.cos(shank),
                    1,
                    2,
                    3,
                    4
                };
                assertThat(found).hasSize(expected.length);
                for (int i = 0; i < expected.length; i++) {
                    assertThat(((Number) found.get(i)).doubleValue()).isCloseTo(expected[i], within(1e-12));
                }
            }
        }
    }

    @Test
    @Tag("slow")
    void aTokenInTheUrlLogsInAndIsRemovedFromTheUrl() {
        server.close();
        server = Dashboard.start(Dashboard.Settings.of(folder).withPort(0).withTokenFile(folder.resolve("tokens")));
        String token = server.tokens().orElseThrow().viewer();
        try (BrowserContext context = desktop()) {
            for (String wrong : List.of("wrong", "100%")) {
                Page page = open(context, "login.html#" + wrong);
                page.waitForFunction("() => document.querySelector('#problem').textContent.includes('token')");
                assertThat(page.url()).isEqualTo(server.address() + "login.html");
            }
            Page page = open(context, "login.html#" + token);
            page.locator("#body a").waitFor();
            assertThat(page.locator("#body a").innerText()).isEqualTo("live");
            assertThat(page.url()).doesNotContain(token, "login.html");
            page.reload();
            page.locator("#body a").waitFor();
        }
        BROWSER.dropProblems("status of 401");
    }

    /** Compares with {@code Figure.ends}, which {@code PlanarFigureTest} compares with the simulator. */
    @ParameterizedTest
    @ValueSource(strings = {"Hopper-v4", "HalfCheetah-v4", "Walker2d-v4", "InvertedDoublePendulum-v4", "Pendulum-v1"})
    @Tag("slow")
    void figuresOfTasksMoveAsTheSimulatorDoes(String name, @TempDir Path trace) throws IOException {
        Task task = Tasks.named(name);
        TraceWriter.open(trace, task, 0, TraceWriter.Keeping.upTo(0), problem -> {
            throw new AssertionError(problem);
        });
        String json = Files.readString(trace.resolve("figure.json"));
        try (Environment environment = task.open();
                BrowserContext context = desktop()) {
            Figure figure = environment.figure().orElseThrow();
            Page page = open(context, "");
            for (int pose = 0; pose < 5; pose++) {
                RandomStream random = RandomStream.of(pose, Purpose.CHECK);
                double[] state = new double[environment.spec().stateSize()];
                Arrays.setAll(state, i -> random.uniform(-2, 2));
                List<?> found = (List<?>) page.evaluate(
                        """
                        ([json, state]) => import('/js/figure.js').then(({ capsules }) =>
                            capsules(JSON.parse(json), state).flatMap(({ from, to }) => [...from, ...to]))""", List.of(json, Arrays.stream(state).boxed().toList()));
                double[] expected = figure.ends(state);
                assertThat(found).hasSize(expected.length);
                for (int i = 0; i < expected.length; i++) {
                    assertThat(((Number) found.get(i)).doubleValue()).isCloseTo(expected[i], within(1e-12));
                }
            }
        }
    }

    @Test
    void aRunThatFailedAtItsFirstRewardIsNotSaidToBeInProgress() {
        TestRuns.train(folder.resolve("failed"), 2, "--reward", "exec:echo no");
        try (BrowserContext context = desktop()) {
            Page page = open(context, "run.html?run=failed");
            Locator curve = page.locator("#curve .empty-text");
            curve.waitFor();
            assertThat(page.locator("#state").textContent()).isEqualTo("failed");
            assertThat(curve.textContent()).isEqualTo("The run ended before its first iteration was complete");
            assertThat(page.locator("#time .empty-text").textContent()).isEqualTo(curve.textContent());
        }
    }

    @Test
    void theMapShowsEveryEpisodeAndWeightsAsAreas() {
        try (BrowserContext context = desktop()) {
            Page page = openRun(context);
            assertThat(page.locator("#map circle.episode").count()).isEqualTo(TracedRun.EPISODES);
            Locator discs = page.locator("#map circle.chosen");
            assertThat(discs.count()).isEqualTo(TracedRun.CHOSEN.size());
            double dot = number(page.locator("#map circle.episode").first(), "r");
            for (int i = 0; i < TracedRun.CHOSEN.size(); i++) {
                Locator disc = page.locator("#map circle.chosen[data-episode='" + TracedRun.CHOSEN.get(i) + "']");
                double area = Math.pow(number(disc, "r"), 2);
                assertThat(area / (dot * dot)).isCloseTo(TracedRun.WEIGHTS.get(i) * TracedRun.EPISODES, within(1e-9));
            }
            assertThat(page.locator("#map-summary").innerText())
                    .contains("4 of 20 episodes paid for", "42 % of that of a random choice");
            assertThat(page.locator("#map").innerText()).contains("first component, 61 % of the variance");
        }
    }

    @Test
    @Tag("slow")
    void distancesInTheMapAreThoseOfTheTrace() {
        try (BrowserContext context = desktop()) {
            Page page = openRun(context);
            List<?> ratios = (List<?>) page.evaluate("""
                    () => fetch('/api/runs/live/iterations/6').then(r => r.json()).then(({ map }) => {
                      const drawn = map.x.map((_, e) => document.querySelector(`#map circle.episode[data-episode='${e}']`))
                          .map(c => [Number(c.getAttribute('cx')), Number(c.getAttribute('cy'))]);
                      return map.x.slice(1).map((_, i) => Math.hypot(drawn[i + 1][0] - drawn[0][0], drawn[i + 1][1] - drawn[0][1])
                          / Math.hypot(map.x[i + 1] - map.x[0], map.y[i + 1] - map.y[0]));
                    })""");
            double first = ((Number) ratios.getFirst()).doubleValue();
            assertThat(ratios)
                    .allSatisfy(
                            ratio -> assertThat(((Number) ratio).doubleValue()).isCloseTo(first, within(1e-6 * first)));
        }
    }

    @Test
    @Tag("slow")
    void theSliderGoesThroughTheIterations() {
        try (BrowserContext context = desktop()) {
            Page page = openRun(context);
            Locator which = page.locator("#shown-iteration");
            assertThat(which.innerText()).isEqualTo("Iteration 6");
            String before = page.locator("#map circle.episode").first().getAttribute("cx");
            page.locator("#iteration").focus();
            page.keyboard().press("ArrowLeft");
            page.keyboard().press("ArrowLeft");
            page.waitForFunction("() => document.querySelector('#shown-iteration').textContent === 'Iteration 4'");
            assertThat(page.locator("#follow").isChecked()).isFalse();
            assertThat(page.locator("#map circle.episode").first().getAttribute("cx"))
                    .isNotEqualTo(before);
            page.locator("#follow").check();
            page.waitForFunction("() => document.querySelector('#shown-iteration').textContent === 'Iteration 6'");
        }
    }

    @Test
    void aClickOrAKeyPlaysAnEpisode() {
        try (BrowserContext context = desktop()) {
            Page page = openRun(context);
            assertThat(page.locator("#replay-title").innerText()).isEqualTo("Replay: iteration 6, episode 3");
            page.locator("#map circle.episode[data-episode='19']").click();
            page.waitForFunction("() => Number(document.querySelector('#replay').dataset.step) >= 5");
            assertThat(page.locator("#replay-title").innerText()).isEqualTo("Replay: iteration 6, episode 19");
            assertThat(page.locator("#replay .replay-note").innerText()).contains("not paid for");
            page.waitForFunction("() => document.querySelector('#replay').dataset.step === '40'");
            page.waitForFunction("() => document.querySelector('#replay').dataset.playing === 'false'");

            page.locator("#map svg").focus();
            page.keyboard().press("Home");
            assertThat(page.locator("#map .tip").innerText()).contains("Episode 3", "weight 40 %", "paid: 13.5");
            page.keyboard().press("Enter");
            page.waitForFunction("() => document.querySelector('#replay-title').textContent.endsWith('episode 3')");
            assertThat(page.locator("#replay .replay-strip").isVisible()).isTrue();
        }
    }

    @Test
    void anIterationTakesTheMapAndTheReplayAlong() throws IOException {
        run.forget(1);
        run.log("{\"event\":\"diverged\",\"iteration\":5,\"episodes\":1}");
        try (BrowserContext context = desktop()) {
            Page page = openRun(context);
            page.locator("#map circle.episode[data-episode='19']").click();
            page.waitForFunction("() => document.querySelector('#replay-title').textContent.endsWith('episode 19')");
            String second = page.locator("#curve path.line").getAttribute("d").split("L")[1];
            page.locator("#curve svg")
                    .click(new Locator.ClickOptions()
                            .setPosition(
                                    Double.parseDouble(second.split(",")[0]),
                                    Double.parseDouble(second.split(",")[1])));
            awaitIteration(page, "2");
            for (String[] selected : new String[][] {{"#curve", "6"}, {"#wce", "3"}, {"#time", "4"}}) {
                page.locator(selected[0] + " svg").focus();
                page.keyboard().press("Home");
                for (int k = 1; k < Integer.parseInt(selected[1]); k++) {
                    page.keyboard().press("ArrowRight");
                }
                page.keyboard().press("Enter");
                awaitIteration(page, selected[1]);
            }
            page.locator("#events button").click();
            awaitIteration(page, "5");
            page.locator("#iteration").fill("0");
            page.locator("#replay-none:has-text('iteration 1 are no longer kept')")
                    .waitFor();
            assertThat(page.locator("#replay").isVisible()).isFalse();
        }
    }

    private static void awaitIteration(Page page, String iteration) {
        page.waitForFunction(
                "k => document.querySelector('#shown-iteration').textContent === 'Iteration ' + k"
                        + " && document.querySelector('#replay-title').textContent === `Replay: iteration ${k}, episode 3`"
                        + " && document.querySelector('#map .played')",
                iteration);
    }

    @Test
    @Tag("slow")
    void aPaleDotPlaysTheEpisodeOfItsOwnIteration() {
        try (BrowserContext context = desktop()) {
            Page page = openRun(context);
            page.locator("#predicted circle.dot.faint").first().waitFor();
            page.locator("#predicted svg").focus();
            page.keyboard().press("Home");
            assertThat(page.locator("#predicted .tip").innerText()).contains("Episode 3, iteration 2");
            page.keyboard().press("Enter");
            page.waitForFunction(
                    "() => document.querySelector('#replay-title').textContent === 'Replay: iteration 2, episode 3'");
            assertThat(page.locator("#shown-iteration").innerText()).isEqualTo("Iteration 6");
        }
    }

    @Test
    @Tag("slow")
    void keysMoveAReplay() {
        try (BrowserContext context = desktop()) {
            Page page = openRun(context);
            page.locator("#replay-panel").focus();
            page.keyboard().press("ArrowRight");
            page.keyboard().press("ArrowRight");
            assertThat(page.locator("#replay").getAttribute("data-step")).isEqualTo("2");
            assertThat(page.locator("#replay output").innerText())
                    .isEqualTo("step 2 of 40 · 40 ms · reward 0.5 · sum so far 1");
            page.keyboard().press("End");
            assertThat(page.locator("#replay").getAttribute("data-step")).isEqualTo("40");
            page.keyboard().press("Home");
            page.keyboard().press("Space");
            assertThat(page.locator("#replay").getAttribute("data-playing")).isEqualTo("true");
            page.waitForFunction("() => Number(document.querySelector('#replay').dataset.step) > 3");
            page.keyboard().press("Space");
            assertThat(page.locator("#replay").getAttribute("data-playing")).isEqualTo("false");
        }
    }

    @Test
    @Tag("slow")
    void reducedMotionIsRespected() {
        try (BrowserContext context =
                BROWSER.newContext(new NewContextOptions().setReducedMotion(ReducedMotion.REDUCE))) {
            Page page = openRun(context);
            page.locator("#map circle.episode[data-episode='19']").click();
            page.waitForFunction("() => document.querySelector('#replay-title').textContent.endsWith('episode 19')");
            assertThat(page.locator("#replay").getAttribute("data-playing")).isEqualTo("false");
        }
    }

    @Test
    void aNewIterationAppearsWithoutReload() throws IOException {
        try (BrowserContext context = desktop()) {
            Page page = openRun(context);
            Page list = open(context, "");
            list.locator("#chart path.line").waitFor();
            awaitPoints(page, "#curve", ITERATIONS);
            page.evaluate("() => { window.stillHere = true; }");
            run.iterate();
            page.waitForFunction("() => document.querySelector('#shown-iteration').textContent === 'Iteration 7'");
            page.waitForFunction("() => document.querySelector('#progress').textContent.includes('7 of 30')");
            awaitPoints(page, "#curve", ITERATIONS + 1);
            page.waitForFunction("() => document.querySelector('#fact-return').innerText.startsWith('32.8')");
            list.waitForFunction("() => document.querySelector('.of-iteration span span').textContent === '7 of 30'");
            awaitPoints(list, "#chart", ITERATIONS + 1);
            assertThat(page.evaluate("() => window.stillHere")).isEqualTo(true);
        }
    }

    /** Rewards may take hours, but the selection is known at once. */
    @Test
    @Tag("slow")
    void aSelectionIsShownBeforeItsRewardsArrive() throws IOException {
        try (BrowserContext context = desktop()) {
            Page page = openRun(context);
            run.select();
            page.waitForFunction(
                    "() => document.querySelector('#shown-iteration').textContent === 'Iteration 7, rewards pending'");
            assertThat(page.locator("#map .chosen.awaited").count()).isEqualTo(TracedRun.CHOSEN.size());
            assertThat(page.locator("#map-summary").innerText()).contains("4 of 20 episodes chosen", "are pending");
            assertThat(page.locator("#ramp").innerText()).contains("length");
            page.waitForFunction(
                    "() => document.querySelector('#predicted-note').textContent.startsWith('Rewards of this')");
            run.iterate();
            page.waitForFunction("() => document.querySelector('#shown-iteration').textContent === 'Iteration 7'");
            page.waitForFunction("() => document.querySelectorAll('#map .awaited').length === 0");
            assertThat(page.locator("#map-summary").innerText()).contains("4 of 20 episodes paid for");
            assertThat(page.locator("#ramp").innerText()).contains("return");
        }
    }

    @Test
    void theForecastShowsWhatTheNextRewardWouldBuy() throws IOException {
        TracedRun forecasting = TracedRun.forecasting(folder.resolve("bayes"), ITERATIONS);
        try (BrowserContext context = desktop()) {
            Page page = openRun(context, "bayes");
            Locator points = page.locator("#forecast circle.point");
            points.nth(5).waitFor();
            assertThat(points.count()).isEqualTo(6);
            assertThat(page.locator("#forecast circle.planned").count()).isEqualTo(1);
            // 0.8, 0.4, 0.2, 0.1, 0.05, 0.04 on a logarithmic scale, the fourth on the line at 0.1
            double half = number(points.nth(1), "cy") - number(points.nth(0), "cy");
            assertThat(half).isPositive();
            for (int i = 0; i < 4; i++) {
                assertThat(number(points.nth(i + 1), "cy") - number(points.nth(i), "cy"))
                        .isCloseTo(half, within(1e-6));
            }
            assertThat(number(points.nth(5), "cy") - number(points.nth(4), "cy"))
                    .isCloseTo(half * Math.log(1.25) / Math.log(2), within(1e-6));
            assertThat(number(page.locator("#forecast line.reference"), "y1"))
                    .isCloseTo(number(points.nth(3), "cy"), within(1e-6));
            assertThat(page.locator("#forecast-note").innerText())
                    .isEqualTo(
                            "4 episodes reduce the expected error from 0.8 to 0.05. One more would reduce it to 0.04, by 20 %.");
            page.locator("#forecast svg").focus();
            page.keyboard().press("End");
            assertThat(page.locator("#forecast .tip").allInnerTexts().getFirst())
                    .contains("episodes paid for 5", "expected error: 0.04");

            awaitPoints(page, "#expected", ITERATIONS - 1);
            assertThat(page.locator("#expected path.line").count()).isEqualTo(2);
            assertThat(page.locator("#expected .strip rect").count()).isEqualTo(ITERATIONS);
            page.locator("#expected svg").focus();
            page.keyboard().press("Home");
            assertThat(page.locator("#expected .tip").innerText()).isEqualTo("iteration 1\nepisodes paid for: 4");
            page.keyboard().press("ArrowRight");
            assertThat(page.locator("#expected .tip").innerText())
                    .contains("before payment: 0.8", "after payment: 0.05", "episodes paid for: 4");
            page.keyboard().press("Enter");
            page.waitForFunction("() => document.querySelector('#shown-iteration').textContent === 'Iteration 2'");

            page.locator("#iteration").fill("0");
            page.waitForFunction(
                    "() => document.querySelector('#forecast').textContent.includes('Nothing is known about rewards yet')");
            page.locator("#follow").check();
            forecasting.select();
            page.waitForFunction(
                    "() => document.querySelector('#shown-iteration').textContent === 'Iteration 7, rewards pending'");
            page.waitForFunction("() => document.querySelectorAll('#forecast circle.point').length === 6");
        }
    }

    @Test
    @Tag("slow")
    void aForecastIsPutIntoWords() {
        String words = "json => import('/js/forecast.js').then(({ words }) => words(JSON.parse(json)))";
        try (BrowserContext context = desktop()) {
            Page page = openRun(context);
            assertThat(page.locator("#forecast-panel").isVisible()).isFalse();
            assertThat(page.locator("#expected-panel").isVisible()).isFalse();
            Map<String, String> expected = Map.of(
                    "{\"errors\": [0.0016], \"next\": 0.0004}",
                    "Without payment, the expected error is 0.0016. One episode would reduce it to 4.00·10⁻⁴, by 75 %.",
                    "{\"errors\": [0.5, 0], \"next\": null}",
                    "1 episode reduces the expected error from 0.5 to 0.",
                    "{\"errors\": [0.5, 0], \"next\": 0}",
                    "1 episode reduces the expected error from 0.5 to 0.",
                    "{\"errors\": [null], \"next\": null}",
                    "No error can be forecast before the first rewards are paid for.");
            expected.forEach((forecast, text) ->
                    assertThat(page.evaluate(words, forecast)).as(forecast).isEqualTo(text));
        }
    }

    @Test
    @Tag("slow")
    void theNoteStatesHowManyIterationsThePaleDotsCover() {
        try (BrowserContext context = desktop()) {
            Page page = openRun(context);
            Map<Integer, String> words =
                    Map.of(2, "pale: the previous iteration.", 3, "pale: the 2 previous iterations.");
            words.forEach((iteration, expected) -> {
                page.locator("#iteration").fill(Integer.toString(iteration - 1));
                page.waitForFunction(
                        "end => document.querySelector('#predicted-note').textContent.endsWith(end)", expected);
            });
            page.locator("#iteration").fill("0");
            page.waitForFunction("() => !document.querySelector('#predicted-note').textContent.includes('pale')");
        }
    }

    /** An iteration takes 95.82 s, so ticks are 30 s apart, not 20 s or 50 s. */
    @Test
    @Tag("slow")
    void theTimeAxisHasClockTicks() {
        try (BrowserContext context = desktop()) {
            Page page = openRun(context);
            page.locator("#time rect.part").first().waitFor();
            assertThat(page.locator("#time .axes text").allTextContents())
                    .startsWith("0", "30 s", "1 min", "1 min 30 s", "2 min")
                    .endsWith("time of an iteration");
            assertThat(page.evaluate("""
                    async () => {
                      const { timeStep } = await import("/js/chart.js");
                      return [0.0003, 0.02, 0.3, 0.7, 3, 11, 40, 700, 5000, 100000, 300000].map(timeStep);
                    }"""))
                    .isEqualTo(List.of(0.0005, 0.02, 0.5, 1, 5, 15, 60, 900, 7200, 172800, 345600));
        }
    }

    @Test
    @Tag("slow")
    void theLedgerShowsAnswerDurations() {
        int answers = 3;
        try (Ledger ledger = Ledger.open(folder.resolve("live").toString())) {
            for (int i = 0; i < answers; i++) {
                float[] actions = {i, 1};
                EvaluationId wanted = EvaluationId.of(
                        "a judge",
                        "Hopper-v4",
                        "live",
                        new Episode(7, i, 2, actions, actions, actions, new double[3], Ending.TERMINATED));
                ledger.claim(wanted);
                ledger.attempted(wanted.key());
                ledger.done(wanted.key(), Reply.ofSteps(new double[] {1, 2}, 0.5));
            }
        }
        try (BrowserContext context = desktop()) {
            Page page = openRun(context);
            page.locator("#ledger .durations li").first().waitFor();
            assertThat(page.locator("#ledger .durations b").allInnerTexts().stream()
                            .mapToInt(Integer::parseInt)
                            .sum())
                    .isEqualTo(answers);
            assertThat(page.locator("#ledger .durations span").first().innerText())
                    .contains("s");
        }
    }

    @Test
    @Tag("slow")
    void aHiddenLedgerIsNamedWithTheOptionThatShowsIt(@TempDir Path outside) throws IOException {
        Path ledger = outside.resolve("shared.db");
        run.setLedger(ledger);
        try (BrowserContext context = desktop()) {
            Page page = openRun(context);
            page.locator("#ledger code").first().waitFor();
            assertThat(page.locator("#ledger").innerText()).contains("outside the served folder", "--ledger " + ledger);
        }
    }

    @Test
    @Tag("slow")
    void failedRequestsForRowsAreRetried() {
        try (BrowserContext context = desktop()) {
            Page page = open(context, "login.html");
            List<String> refused = new ArrayList<>();
            page.route("**/metrics", route -> {
                if (refused.isEmpty()) {
                    refused.add(route.request().url());
                    route.fulfill(new Route.FulfillOptions().setStatus(500).setBody("{\"error\": \"trouble\"}"));
                } else {
                    route.resume();
                }
            });
            page.evaluate("""
                    () => import('/js/sse.js').then(({ Rows }) => {
                      window.read = new Rows('live', () => {});
                      window.read.add(3, [3]);
                    })""");
            page.waitForFunction("rows => window.read.rows.length === rows", ITERATIONS);
            assertThat(refused).hasSize(1);
        }
        BROWSER.dropProblems("status of 500");
    }

    @Test
    @Tag("slow")
    void aRestartOfTheServerLosesNoRow() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        server.close();
        server = Dashboard.start(Dashboard.Settings.of(folder).withPort(port));
        try (BrowserContext context = desktop()) {
            Page page = openRun(context);
            page.waitForFunction("() => document.querySelector('#link').dataset.link === 'live'");
            server.close();
            page.waitForFunction("() => document.querySelector('#link').textContent === 'reconnecting…'");
            run.iterate();
            run.iterate();
            server = Dashboard.start(Dashboard.Settings.of(folder).withPort(port));
            page.waitForFunction("() => document.querySelector('#link').dataset.link === 'live'");
            run.iterate();
            page.waitForFunction("() => document.querySelector('#progress').textContent.includes('9 of 30')");
            awaitPoints(page, "#curve", 9);
        }
        BROWSER.dropProblems("net::ERR_");
    }

    @Test
    void namesFromDiskAreOnlyText() throws IOException {
        TracedRun evil = TracedRun.make(folder.resolve(EVIL), 2);
        evil.finish();
        try (BrowserContext context = desktop()) {
            Page page = open(context, "");
            Locator link = page.locator("#body a").filter(new Locator.FilterOptions().setHasText(EVIL));
            link.waitFor();
            assertThat(page.locator("main img").count()).isZero();
            link.click();
            page.locator("#map circle.episode").first().waitFor();
            assertThat(page.locator("#name").innerText()).isEqualTo(EVIL);
            assertThat(page.title()).startsWith(EVIL);
            assertThat(page.locator("main img").count()).isZero();
        }
    }

    @Test
    @Tag("slow")
    void runsAreFilteredSortedAndCompared() throws IOException {
        TracedRun.make(folder.resolve("other"), 3).finish();
        try (BrowserContext context = desktop()) {
            Page page = open(context, "");
            page.locator("#body tr").nth(1).waitFor();
            page.getByLabel("Compare live").check();
            page.getByLabel("Compare other").check();
            page.waitForFunction("() => document.querySelectorAll('#chart path.line').length === 2");
            assertThat(page.locator("#against button[aria-pressed='true']").innerText())
                    .isEqualTo("Paid rewards");
            assertThat(page.locator("#chart .axis-label").first().textContent()).isEqualTo("reward evaluations");
            page.locator("#against button[data-value='steps']").click();
            assertThat(page.locator("#chart .axis-label").first().textContent()).isEqualTo("steps");
            page.locator("#head [data-key='iteration'] button").click();
            assertThat(page.locator("#body a").first().innerText()).isEqualTo("live");
            page.locator("#head [data-key='iteration'] button").click();
            assertThat(page.locator("#body a").first().innerText()).isEqualTo("other");
            page.locator("#filter").fill("finished");
            assertThat(page.locator("#body tr").count()).isEqualTo(1);
            assertThat(page.locator("#count").innerText()).startsWith("1 of 2 runs");
            // the URL reproduces the view
            Page again = open(context, page.url().substring(server.address().length()));
            again.waitForFunction("() => document.querySelectorAll('#chart path.line').length === 2");
            assertThat(again.locator("#filter").inputValue()).isEqualTo("finished");
            assertThat(again.locator("#against button[aria-pressed='true']").innerText())
                    .isEqualTo("Steps");
        }
    }

    /** Iterations 1 to 3 and 4 to 6 have paid for the same number of rewards. */
    @Test
    void aCurveByPaidRewardsShowsIterationsThatPaidForNothing() throws IOException {
        run.pay(new int[] {3, 3, 3, 4, 4, 4});
        try (BrowserContext context = desktop()) {
            Page page = openRun(context);
            awaitPoints(page, "#curve", ITERATIONS);
            assertThat(page.locator("#curve-note").isVisible()).isTrue();
            String[] path = page.locator("#curve path.line")
                    .getAttribute("d")
                    .substring(1)
                    .split("[L,]");
            double[] xs = IntStream.range(0, ITERATIONS)
                    .mapToDouble(i -> Double.parseDouble(path[2 * i]))
                    .toArray();
            for (int i = 1; i < ITERATIONS; i++) {
                assertThat(xs[i] - xs[i - 1]).isPositive().isCloseTo(xs[1] - xs[0], within(0.01));
            }
            page.locator("#curve svg").focus();
            page.keyboard().press("Home");
            page.keyboard().press("ArrowRight");
            assertThat(page.locator("#curve .tip").innerText())
                    .isEqualTo("reward evaluations 3, iteration 2\n16.5 ± 0.75");
            page.keyboard().press("Enter");
            page.waitForFunction("() => document.querySelector('#shown-iteration').textContent === 'Iteration 2'");
            assertThat(number(page.locator("#curve line.mark"), "x1")).isCloseTo(xs[1], within(0.01));
            page.locator("#against button[data-value='iteration']").click();
            awaitPoints(page, "#curve", ITERATIONS);
            assertThat(page.locator("#curve-note").isVisible()).isFalse();
        }
    }

    /** A run of kq-bayes that has paid for one reward only. */
    @Test
    @Tag("slow")
    void aRunThatHasPaidOnceHasACurve() throws IOException {
        run.pay(new int[] {1, 1, 1, 1, 1, 1});
        try (BrowserContext context = desktop()) {
            Page page = openRun(context);
            awaitPoints(page, "#curve", ITERATIONS);
            double width = ((Number) page.evaluate(
                            "() => document.querySelector('#curve path.line').getBoundingClientRect().width"))
                    .doubleValue();
            assertThat(width).isGreaterThan(200);
        }
    }

    /** One run paid for 24 rewards, the other for 4: on a linear axis its curve would be too narrow. */
    @Test
    @Tag("slow")
    void unequalPaymentsAreComparedOnALogarithmicAxis() throws IOException {
        TracedRun.make(folder.resolve("frugal"), ITERATIONS).pay(new int[] {1, 2, 2, 2, 4, 4});
        try (BrowserContext context = desktop()) {
            Page page = open(context, "");
            page.locator("#body tr").nth(1).waitFor();
            page.getByLabel("Compare live").check();
            page.getByLabel("Compare frugal").check();
            page.waitForFunction("() => document.querySelectorAll('#chart path.line').length === 2");
            page.waitForFunction("() => document.querySelector('#chart .axis-label').textContent"
                    + " === 'reward evaluations, logarithmic'");
            // 1, 2 and 4, of iterations 1, 2 and 5, are equally far apart
            List<?> distances = (List<?>) page.evaluate("""
                    () => {
                      const xs = [...document.querySelectorAll('#chart path.line')]
                          .map(p => p.getAttribute('d').slice(1).split('L').map(point => Number(point.split(',')[0])));
                      const x = xs.find(each => each[0] === Math.min(...xs.flat()));
                      return [x[1] - x[0], x[4] - x[1]];
                    }""");
            assertThat(((Number) distances.get(0)).doubleValue())
                    .isPositive()
                    .isCloseTo(((Number) distances.get(1)).doubleValue(), within(0.01));
            assertThat((List<?>) page.evaluate(BAD_TEXTS)).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void withoutRunsThePageSaysHowToStartOne(@TempDir Path empty) throws IOException {
        server.close();
        server = Dashboard.start(Dashboard.Settings.of(empty).withPort(0));
        try (BrowserContext context = desktop()) {
            Page page = open(context, "");
            page.locator("#empty").waitFor();
            assertThat(page.locator("#empty").innerText()).contains("./pgkq train");
            TracedRun.make(empty.resolve("first"), 2);
            page.locator("#chart path.line").waitFor();
            assertThat(page.locator("#empty").isVisible()).isFalse();
            assertThat(page.locator("#body a").innerText()).isEqualTo("first");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {320, 390, 800, 1280, 2000})
    @Tag("slow")
    void pagesFitAnyWindow(int width) throws IOException {
        TracedRun.make(
                folder.resolve("a-folder-with-a-rather-long-name/InvertedDoublePendulum-v4/ppo-kq-no-mean/seed1"), 3);
        TracedRun.forecasting(folder.resolve("bayes"), 30);
        try (BrowserContext context = BROWSER.newContext(new NewContextOptions().setViewportSize(width, 844))) {
            Page page = openRun(context);
            assertThat(page.evaluate("() => document.documentElement.scrollWidth"))
                    .isEqualTo(width);
            assertThat((List<?>) page.evaluate(BAD_TEXTS)).isEmpty();
            assertThat((List<?>) page.evaluate(CUT_OFF)).isEmpty();
            Page bayes = openRun(context, "bayes");
            bayes.locator("#expected .strip rect").first().waitFor();
            assertThat(bayes.evaluate("() => document.documentElement.scrollWidth"))
                    .isEqualTo(width);
            assertThat((List<?>) bayes.evaluate(BAD_TEXTS)).isEmpty();
            assertThat((List<?>) bayes.evaluate(CUT_OFF)).isEmpty();
            Page list = open(context, "");
            list.locator("#chart path.line").first().waitFor();
            assertThat(list.evaluate("() => document.documentElement.scrollWidth"))
                    .isEqualTo(width);
            assertThat((List<?>) list.evaluate(BAD_TEXTS)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ColorScheme.class,
            names = {"LIGHT", "DARK"})
    @Tag("slow")
    void textIsReadableInLightAndDark(ColorScheme colours) throws IOException {
        TracedRun.forecasting(folder.resolve("bayes"), 3);
        try (BrowserContext context = BROWSER.newContext(new NewContextOptions().setColorScheme(colours))) {
            Page page = openRun(context);
            page.locator("#map circle.episode").first().hover();
            page.locator("details summary").click();
            assertThat((List<?>) page.evaluate(PALE_TEXTS)).isEmpty();
            Page bayes = openRun(context, "bayes");
            bayes.locator("#expected .strip rect").first().waitFor();
            assertThat((List<?>) bayes.evaluate(PALE_TEXTS)).isEmpty();
            assertThat((List<?>) bayes.evaluate(NAMELESS)).isEmpty();
            Page list = open(context, "");
            list.locator("#chart path.line").first().waitFor();
            assertThat((List<?>) list.evaluate(PALE_TEXTS)).isEmpty();
            Page login = open(context, "login.html");
            assertThat((List<?>) login.evaluate(PALE_TEXTS)).isEmpty();
            assertThat((List<?>) login.evaluate(NAMELESS)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ColorScheme.class,
            names = {"LIGHT", "DARK"})
    @Tag("slow")
    void theRatingPageIsReadableAndAccessible(ColorScheme colours) throws IOException {
        Path rated = folder.resolve("rated");
        RatedRun.make(rated, 1, 1);
        PeopleSettings settings = PeopleSettings.defaults(Rating.SCALE, RatingScale.parse("0 bad .. 10 good"));
        try (PeopleQueue queue = PeopleQueue.open(rated, settings, InstantSource.system());
                BrowserContext context = BROWSER.newContext(new NewContextOptions().setColorScheme(colours))) {
            queue.post(List.of(new Question("question", 1, 0)), true);
            Page page = open(context, "rate.html?run=rated");
            page.locator("#name").waitFor();
            assertThat((List<?>) page.evaluate(PALE_TEXTS)).isEmpty();
            assertThat((List<?>) page.evaluate(NAMELESS)).isEmpty();
            page.locator("#name").fill("Ann");
            page.keyboard().press("Enter");
            page.locator("#item[data-ready=true]").waitFor();
            assertThat((List<?>) page.evaluate(PALE_TEXTS)).isEmpty();
            assertThat((List<?>) page.evaluate(NAMELESS)).isEmpty();
            page.keyboard().press("5");
            page.locator("#countdown:has-text('closes in')").waitFor();
            assertThat((List<?>) page.evaluate(PALE_TEXTS)).isEmpty();
        }
    }

    @Test
    void everyControlHasANameAndIsReachableByKeyboard() {
        try (BrowserContext context = desktop()) {
            Page page = openRun(context);
            assertThat((List<?>) page.evaluate(NAMELESS)).isEmpty();
            Set<String> reached = new LinkedHashSet<>();
            page.locator(".brand").focus();
            for (int i = 0; i < 70; i++) {
                page.keyboard().press("Tab");
                ElementHandle at =
                        page.evaluateHandle("() => document.activeElement").asElement();
                reached.add((String) at.evaluate("e => e.closest('[id]')?.id ?? ''"));
                assertThat((Boolean)
                                at.evaluate("e => e === document.body || getComputedStyle(e).outlineStyle !== 'none'"))
                        .as("focus is visible at %s", at)
                        .isTrue();
            }
            assertThat(reached)
                    .containsSubsequence(
                            "against",
                            "curve",
                            "colour",
                            "map",
                            "close-up",
                            "play",
                            "iteration",
                            "follow",
                            "wce",
                            "predicted",
                            "kernel",
                            "replay",
                            "time");
            Page list = open(context, "");
            list.locator("#chart path.line").first().waitFor();
            assertThat((List<?>) list.evaluate(NAMELESS)).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void aReplayIsAsSharpAsTheScreen() {
        try (BrowserContext context = BROWSER.newContext(
                new NewContextOptions().setViewportSize(390, 844).setDeviceScaleFactor(3))) {
            Page page = openRun(context);
            List<?> sizes = (List<?>) page.evaluate("""
                    () => [...document.querySelectorAll('#replay canvas')].filter(c => c.clientWidth > 0)
                        .map(c => Math.abs(c.width - 3 * c.clientWidth))""");
            assertThat(sizes)
                    .hasSize(2)
                    .allSatisfy(off -> assertThat(((Number) off).doubleValue()).isLessThanOrEqualTo(3));
        }
    }

    @Test
    @Tag("slow")
    void withoutAFigureTheStatesArePlotted() throws IOException {
        Path bare = folder.resolve("bare");
        TracedRun.make(bare, 2);
        Files.delete(bare.resolve("trace/figure.json"));
        try (BrowserContext context = desktop()) {
            Page page = open(context, "run.html?run=bare");
            page.locator("#replay canvas").first().waitFor();
            // the plot of the states covers the whole width
            List<?> drawn = (List<?>) page.evaluate("""
                    () => {
                      const canvas = document.querySelector('#replay canvas');
                      const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
                      return [0.1, 0.5, 0.9].map(share => {
                        const x = Math.round(share * canvas.width);
                        let count = 0;
                        for (let y = 0; y < canvas.height; y++) {
                          count += pixels[4 * (y * canvas.width + x) + 3] > 0 ? 1 : 0;
                        }
                        return count;
                      });
                    }""");
            assertThat(IntStream.range(0, 3)
                            .map(i -> ((Number) drawn.get(i)).intValue())
                            .min()
                            .orElse(0))
                    .isPositive();
        }
    }
}
