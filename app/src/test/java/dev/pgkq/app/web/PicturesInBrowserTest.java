package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import dev.pgkq.app.BrowserExtension;
import dev.pgkq.rewards.files.Safetensors;
import dev.pgkq.rewards.people.PeopleQueue;
import dev.pgkq.rewards.people.PeopleSettings;
import dev.pgkq.rewards.people.Question;
import dev.pgkq.rewards.people.Rating;
import dev.pgkq.rewards.people.RatingScale;
import dev.pgkq.state.Tensor;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages show the pictures that an environment rendered. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@ResourceLock(BrowserExtension.BROWSER)
class PicturesInBrowserTest {
    /** The colour in the centre of a canvas. */
    private static final String CENTRE = """
            selector => {
              const canvas = document.querySelector(selector);
              const copy = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
              copy.drawImage(canvas, -canvas.width / 2, -canvas.height / 2);
              return [...copy.getImageData(0, 0, 1, 1).data].slice(0, 3);
            }""";

    @RegisterExtension
    static final BrowserExtension BROWSER = BrowserExtension.ignoring("status of 500", "status of 404");

    @TempDir
    private Path folder = Path.of("");

    /** A picture of each tenth step; the one after t steps has the colour (t, 100, 200). */
    private static void draw(Path zip, int episode, int last) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            out.putNextEntry(new ZipEntry("frames-per-second"));
            out.write("20".getBytes(StandardCharsets.UTF_8));
            for (int step = last; step >= 0; step -= 10) {
                BufferedImage image = new BufferedImage(60, 40, BufferedImage.TYPE_INT_RGB);
                for (int i = 0; i < 60 * 40; i++) {
                    image.setRGB(i % 60, i / 60, step << 16 | 100 << 8 | 200);
                }
                ByteArrayOutputStream png = new ByteArrayOutputStream();
                ImageIO.write(image, "png", png);
                out.putNextEntry(new ZipEntry(episode + "/" + step + ".png"));
                out.write(png.toByteArray());
            }
        }
    }

    private static void awaitPicture(Page page, String host, int step) {
        page.waitForSelector(host + "[data-picture='" + step + "']");
    }

    private static List<Integer> centre(Page page, String canvas) {
        return ((List<?>) page.evaluate(CENTRE, canvas))
                .stream().map(value -> ((Number) value).intValue()).toList();
    }

    @Test
    void aReplayShowsThePictureOfItsStep() throws IOException {
        TracedRun.make(folder.resolve("live"), 3);
        int heaviest = TracedRun.CHOSEN.getFirst();
        draw(folder.resolve("live/trace/episodes/000003.frames.zip"), heaviest, TracedRun.STEPS);
        try (Dashboard server = Dashboard.start(Dashboard.Settings.of(folder).withPort(0));
                BrowserContext context = BROWSER.newContext(new NewContextOptions().setViewportSize(1280, 900))) {
            Page page = BROWSER.open(context, server.address(), "run.html?run=live");
            awaitPicture(page, "#replay", 0);
            assertThat(centre(page, "#replay canvas")).containsExactly(0, 100, 200);
            page.locator("#replay input[type=range]").fill("29");
            awaitPicture(page, "#replay", 20);
            assertThat(centre(page, "#replay canvas")).containsExactly(20, 100, 200);
            // a step is a twentieth of a second
            assertThat(page.locator("#replay output").textContent()).contains("step 29 of 40", "1.5 s");
            keepScreenshot(page, "run-pictures");
            // another episode has none: its figure is drawn
            page.evaluate("() => delete document.querySelector('#replay').dataset.picture");
            page.locator("#map circle.episode").nth(0).click();
            page.waitForFunction(
                    "() => document.querySelector('#replay-title').textContent !== 'Replay: iteration 3, episode "
                            + heaviest + "'");
            page.waitForSelector("#replay[data-scale]");
            assertThat(page.locator("#replay").getAttribute("data-picture")).isNull();
        }
    }

    @Test
    void ratersSeePictures() throws IOException {
        Path run = folder.resolve("walk");
        RatedRun.make(run, 1, 2);
        draw(run.resolve("trace/episodes/000001.frames.zip"), 0, 60);
        PeopleSettings settings = PeopleSettings.defaults(Rating.SCALE, RatingScale.parse("0..5"));
        try (PeopleQueue queue = PeopleQueue.open(run, settings, InstantSource.system());
                Dashboard server = Dashboard.start(Dashboard.Settings.of(folder).withPort(0));
                BrowserContext context = BROWSER.newContext(new NewContextOptions().setViewportSize(900, 900))) {
            queue.post(List.of(new Question("question0", 1, 0)), true);
            Page page = BROWSER.open(context, server.address(), "rate.html?run=walk");
            page.locator("#name").fill("Ann");
            page.keyboard().press("Enter");
            page.waitForSelector("#item[data-ready=true]:not([hidden])");
            page.waitForSelector("#first[data-picture]");
            page.locator("#first input[type=range]").fill("60");
            awaitPicture(page, "#first", 60);
            assertThat(centre(page, "#first canvas")).containsExactly(60, 100, 200);
            keepScreenshot(page, "rate-pictures");
        }
    }

    /** The file ends too early, or a picture in it is none: people still see something, and what is missing. */
    @ParameterizedTest
    @CsvSource({"true, cannot read ", "false, one of them is damaged"})
    void theFigureIsShownWherePicturesCannotBeRead(boolean cutOff, String reason) throws IOException {
        Path run = folder.resolve("walk");
        RatedRun.make(run, 1, 2);
        damaged(run.resolve("trace/episodes/000001.frames.zip"), cutOff);
        PeopleSettings settings = PeopleSettings.defaults(Rating.SCALE, RatingScale.parse("0..5"));
        try (PeopleQueue queue = PeopleQueue.open(run, settings, InstantSource.system());
                Dashboard server = Dashboard.start(Dashboard.Settings.of(folder).withPort(0));
                BrowserContext context = BROWSER.newContext(new NewContextOptions().setViewportSize(900, 900))) {
            queue.post(List.of(new Question("question0", 1, 0)), true);
            Page page = BROWSER.open(context, server.address(), "rate.html?run=walk");
            page.locator("#name").fill("Ann");
            page.keyboard().press("Enter");
            page.waitForSelector("#item[data-ready=true]:not([hidden])");
            page.waitForSelector("#first[data-scale]");
            assertThat(page.locator("#first .replay-note").textContent())
                    .startsWith("The pictures of this episode cannot be shown: " + reason)
                    .doesNotContain(folder.toString());
            page.keyboard().press("4");
            page.waitForFunction("() => document.querySelector('#message').textContent.startsWith('Rated 4')");
        }
        TracedRun.make(folder.resolve("live"), 3);
        damaged(folder.resolve("live/trace/episodes/000003.frames.zip"), cutOff);
        try (Dashboard server = Dashboard.start(Dashboard.Settings.of(folder).withPort(0));
                BrowserContext context = BROWSER.newContext(new NewContextOptions().setViewportSize(1280, 900))) {
            Page page = BROWSER.open(context, server.address(), "run.html?run=live");
            page.waitForSelector("#replay[data-scale]");
            assertThat(page.locator("#replay .replay-note").textContent())
                    .startsWith("The pictures of this episode cannot be shown: " + reason);
        }
    }

    /** With nothing to be seen, an episode cannot be rated. */
    @Test
    void anEpisodeOfWhichNothingCanBeShownIsSkipped() throws IOException {
        Path run = folder.resolve("walk");
        RatedRun.make(run, 1, 1);
        Files.delete(run.resolve("trace/figure.json"));
        Map<String, Tensor> empty = Map.of("states.0", new Tensor(new int[] {61, 0}, new float[0]));
        Safetensors.write(run.resolve("trace/episodes/000001.safetensors"), empty, Map.of());
        damaged(run.resolve("trace/episodes/000001.frames.zip"), true);
        PeopleSettings settings = PeopleSettings.defaults(Rating.SCALE, RatingScale.parse("0..5"));
        try (PeopleQueue queue = PeopleQueue.open(run, settings, InstantSource.system());
                Dashboard server = Dashboard.start(Dashboard.Settings.of(folder).withPort(0));
                BrowserContext context = BROWSER.newContext(new NewContextOptions().setViewportSize(900, 900))) {
            queue.post(List.of(new Question("question0", 1, 0)), true);
            Page page = BROWSER.open(context, server.address(), "rate.html?run=walk");
            page.locator("#name").fill("Ann");
            page.keyboard().press("Enter");
            page.waitForFunction(
                    "() => document.querySelector('#first').textContent.endsWith('There is nothing else to show: skip it.')");
            assertThat(page.locator("#item").getAttribute("data-ready")).isEqualTo("false");
        }
    }

    /** Pictures of all episodes that the tests look at. */
    private static void damaged(Path zip, boolean cutOff) throws IOException {
        if (cutOff) {
            draw(zip, 0, 10);
            byte[] bytes = Files.readAllBytes(zip);
            Files.write(zip, Arrays.copyOf(bytes, bytes.length / 2));
            return;
        }
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            for (int episode = 0; episode < 100; episode++) {
                out.putNextEntry(new ZipEntry(episode + "/0.png"));
                out.write("no picture".getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static void keepScreenshot(Page page, String name) throws IOException {
        String kept = System.getProperty("pgkq.screenshots");
        if (kept != null) {
            Files.createDirectories(Path.of(kept));
            page.screenshot(new Page.ScreenshotOptions().setFullPage(true).setPath(Path.of(kept, name + ".png")));
        }
    }
}
