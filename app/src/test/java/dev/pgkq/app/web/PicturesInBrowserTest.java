package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import dev.pgkq.app.BrowserExtension;
import dev.pgkq.rewards.people.PeopleQueue;
import dev.pgkq.rewards.people.PeopleSettings;
import dev.pgkq.rewards.people.Question;
import dev.pgkq.rewards.people.Rating;
import dev.pgkq.rewards.people.RatingScale;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

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
    static final BrowserExtension BROWSER = new BrowserExtension();

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

    private static void keepScreenshot(Page page, String name) throws IOException {
        String kept = System.getProperty("pgkq.screenshots");
        if (kept != null) {
            Files.createDirectories(Path.of(kept));
            page.screenshot(new Page.ScreenshotOptions().setFullPage(true).setPath(Path.of(kept, name + ".png")));
        }
    }
}
