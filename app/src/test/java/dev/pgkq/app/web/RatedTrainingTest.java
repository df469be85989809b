package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.pgkq.app.BrowserExtension;
import dev.pgkq.app.Tool;
import dev.pgkq.app.run.MetricsFile;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.State;
import dev.pgkq.rewards.people.Item;
import dev.pgkq.rewards.people.PeopleQueue;
import dev.pgkq.rewards.people.PeopleQueue.Next;
import dev.pgkq.rewards.people.PeopleQueue.Winner;
import dev.pgkq.rewards.people.RatingRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Whole runs with rewards from people: the ledger contains exactly the ratings given, whatever is killed meanwhile. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@ResourceLock(BrowserExtension.BROWSER)
class RatedTrainingTest {
    private static final int ITERATIONS = 3;

    /** The server is stopped during a test, and pages report that. */
    @RegisterExtension
    static final BrowserExtension BROWSER = BrowserExtension.ignoring("net::ERR_", "Failed to load resource");

    @TempDir
    private Path folder = Path.of("");

    private Process train(String grace, String... more) throws IOException {
        List<String> args = new ArrayList<>(List.of("train", "--env", "Pendulum-v1", "--algo", "ppo-kq"));
        args.addAll(List.of("--batch", "8", "--select", "3", "--iterations", Integer.toString(ITERATIONS)));
        args.addAll(List.of("--mean-epochs", "2", "--value-epochs", "2", "--threads", "1", "--reward", "human"));
        args.addAll(List.of("--dashboard", "false"));
        args.addAll(List.of("--rating-grace", grace, "--out", run().toString()));
        args.addAll(List.of(more));
        if (Files.exists(run().resolve("config.yaml"))) {
            args.add("--resume");
        }
        return Tool.start(log(), args.toArray(String[]::new));
    }

    private Path run() {
        return folder.resolve("walk");
    }

    private Path log() {
        return folder.resolve("log.txt");
    }

    private String output() {
        try {
            return Files.readString(log());
        } catch (IOException e) {
            return e.toString();
        }
    }

    private Map<String, Double> ledger() {
        Map<String, Double> answers = new HashMap<>();
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.read(run().toString(), entries::add);
        for (LedgerEntry entry : entries) {
            assertThat(entry.state()).isEqualTo(State.DONE);
            answers.put(
                    entry.id().key().hex(),
                    Objects.requireNonNull(entry.answered()).total());
        }
        return answers;
    }

    private void awaitQueue(Process training) throws InterruptedException {
        while (training.isAlive() && !Files.exists(PeopleQueue.file(run()))) {
            Thread.sleep(20);
        }
        assertThat(training.isAlive()).as(this::output).isTrue();
    }

    /** Two raters in browsers; the server is restarted after some ratings, and training is killed after some more. */
    @Test
    @Tag("slow")
    void twoRatersRateAWholeRunThroughAServerRestartAndAKilledTraining() throws Exception {
        int port = RatedRun.freePort();
        Dashboard.Settings settings = Dashboard.Settings.of(folder).withPort(port);
        Map<String, Double> ratings = new HashMap<>();
        Set<String> ratersOf = new HashSet<>();
        Process training = train("0.5");
        try {
            Dashboard server = Dashboard.start(settings);
            try {
                awaitQueue(training);
                List<Page> pages = List.of(page(server, "Ann"), page(server, "Bob"));
                boolean restarted = false;
                boolean killed = false;
                while (training.isAlive()) {
                    if (!restarted && ratings.size() >= 2) {
                        server.close();
                        Page ann = pages.getFirst();
                        ann.waitForSelector("#error-message:has-text('does not respond')");
                        server = Dashboard.start(settings);
                        restarted = true;
                    }
                    if (!killed && ratings.size() >= 4) {
                        training.destroyForcibly().waitFor();
                        training = train("0.5");
                        killed = true;
                    }
                    for (Page page : pages) {
                        if (rateOne(page, ratings)) {
                            ratersOf.add(page.locator("#rater").textContent());
                        }
                    }
                    Thread.sleep(50);
                }
                assertThat(training.waitFor()).as(this::output).isZero();
                assertThat(restarted && killed).isTrue();
            } finally {
                server.close();
            }
        } finally {
            training.destroyForcibly();
        }
        assertThat(ledger()).isEqualTo(ratings);
        assertThat(ratersOf).containsExactlyInAnyOrder("Ann", "Bob");
        assertThat(MetricsFile.rows(run().resolve("metrics.csv"))).isEqualTo(ITERATIONS);
    }

    private static Page page(Dashboard server, String name) {
        Page page = BROWSER.open(BROWSER.newContext(), server.address(), "rate.html?run=walk");
        page.locator("#name").fill(name);
        page.keyboard().press("Enter");
        page.waitForSelector("#item:not([hidden]), #wait:not([hidden])");
        return page;
    }

    /** Rates the item that the page shows, if any. */
    private static boolean rateOne(Page page, Map<String, Double> ratings) {
        boolean played = "true".equals(page.locator("#item").getAttribute("data-ready"));
        if (!played
                || !page.locator("#item").isVisible()
                || page.locator("#error-message").isVisible()) {
            return false;
        }
        String key = String.valueOf(page.locator("#item").getAttribute("data-key"));
        assertThat(ratings).as("no item is asked for again after its rating").doesNotContainKey(key);
        int value = 1 + ratings.size() % 9;
        page.keyboard().press(Integer.toString(value));
        page.waitForFunction(
                "key => document.getElementById('item').hidden || document.getElementById('item').dataset.key !== key"
                        + " || !document.getElementById('error-message').hidden",
                key);
        String words = page.locator("#message").textContent();
        if (page.locator("#error-message").isVisible() || !words.contains("Rated " + value)) {
            return false;
        }
        ratings.put(key, (double) value);
        return true;
    }

    /** Without a browser: training is killed at random times, possibly while it closes an iteration. */
    @Test
    @Tag("slow")
    void afterRepeatedKillsTrainingAsksForNothingTwice() throws Exception {
        Map<String, Double> ratings = new HashMap<>();
        Random random = new Random(1);
        Process training = train("0");
        int kills = 0;
        try {
            awaitQueue(training);
            try (PeopleQueue queue = awaitOpenQueue()) {
                while (training.isAlive()) {
                    if (kills < 3 && ratings.size() == 2 * (kills + 1)) {
                        Thread.sleep(random.nextInt(400));
                        training.destroyForcibly().waitFor();
                        kills++;
                        training = train("0");
                    }
                    if (queue.next(RatedRun.ANN) instanceof Next.Show(Item item, Duration lease)) {
                        double value = random.nextInt(11);
                        assertThat(ratings).doesNotContainKey(item.key());
                        try {
                            queue.rate(RatedRun.ANN, item.key(), value);
                            ratings.put(item.key(), value);
                        } catch (RatingRefused e) {
                            // withdrawn between the two calls
                        }
                    }
                    Thread.sleep(random.nextInt(200));
                }
            }
            assertThat(training.waitFor()).as(this::output).isZero();
        } finally {
            training.destroyForcibly();
        }
        assertThat(kills).isEqualTo(3);
        assertThat(ledger()).isEqualTo(ratings);
    }

    @Test
    void trainingUsesComparisons() throws Exception {
        Process training = train("0", "--rating", "compare");
        int compared = 0;
        try {
            awaitQueue(training);
            try (PeopleQueue queue = awaitOpenQueue()) {
                while (training.isAlive()) {
                    if (queue.next(RatedRun.ANN) instanceof Next.Show(Item item, Duration lease)) {
                        boolean later = item.first().iteration()
                                >= item.second().orElseThrow().iteration();
                        queue.compare(RatedRun.ANN, item.key(), later ? Winner.A : Winner.B);
                        compared++;
                    }
                    Thread.sleep(20);
                }
            }
            assertThat(training.waitFor()).as(this::output).isZero();
        } finally {
            training.destroyForcibly();
        }
        assertThat(compared).isGreaterThanOrEqualTo(3 + 2 * 6);
        assertThat(ledger()).hasSizeBetween(2 * ITERATIONS, 3 * ITERATIONS);
    }

    private PeopleQueue awaitOpenQueue() throws InterruptedException {
        while (true) {
            var queue = PeopleQueue.openExisting(run(), InstantSource.system());
            if (queue.isPresent()) {
                return queue.get();
            }
            Thread.sleep(20);
        }
    }
}
