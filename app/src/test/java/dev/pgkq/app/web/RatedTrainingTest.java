package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.pgkq.app.Tool;
import dev.pgkq.app.report.Browser;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs whose rewards are people's: what was said is what the ledger has, whatever was killed meanwhile. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RatedTrainingTest {
    private static final int ITERATIONS = 3;

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

    private String told() {
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
        assertThat(training.isAlive()).as(this::told).isTrue();
    }

    /** Two raters in browsers; the server is started again after some ratings, the training killed after some more. */
    @Test
    void twoRatersRateAWholeRunThroughARestartOfTheServerAndTheDeathOfTraining() throws Exception {
        int port = RatedRun.freePort();
        Dashboard.Settings settings = Dashboard.Settings.of(folder).withPort(port);
        Map<String, Double> said = new HashMap<>();
        Set<String> ratersOf = new HashSet<>();
        Process training = train("0.5");
        try (Browser browser = Browser.open()) {
            Dashboard server = Dashboard.start(settings);
            try {
                awaitQueue(training);
                List<Page> pages = List.of(page(browser, server, "Ann"), page(browser, server, "Bob"));
                boolean restarted = false;
                boolean killed = false;
                while (training.isAlive()) {
                    if (!restarted && said.size() >= 2) {
                        server.close();
                        Page ann = pages.getFirst();
                        ann.waitForSelector("#trouble:has-text('does not answer')");
                        server = Dashboard.start(settings);
                        restarted = true;
                    }
                    if (!killed && said.size() >= 4) {
                        training.destroyForcibly().waitFor();
                        training = train("0.5");
                        killed = true;
                    }
                    for (Page page : pages) {
                        if (rateOne(page, said)) {
                            ratersOf.add(page.locator("#rater").textContent());
                        }
                    }
                    Thread.sleep(50);
                }
                assertThat(training.waitFor()).as(this::told).isZero();
                assertThat(restarted && killed).isTrue();
            } finally {
                server.close();
            }
        } finally {
            training.destroyForcibly();
        }
        assertThat(ledger()).isEqualTo(said);
        assertThat(ratersOf).containsExactlyInAnyOrder("Ann", "Bob");
        assertThat(MetricsFile.rows(run().resolve("metrics.csv"))).isEqualTo(ITERATIONS);
    }

    private static Page page(Browser browser, Dashboard server, String name) {
        Page page = browser.get().newContext().newPage();
        page.navigate(server.address() + "rate.html?run=walk");
        page.locator("#name").fill(name);
        page.keyboard().press("Enter");
        page.waitForSelector("#item:not([hidden]), #wait:not([hidden])");
        return page;
    }

    /** Rates what the page plays, if it plays something, with a number of its own for every episode. */
    private static boolean rateOne(Page page, Map<String, Double> said) {
        boolean played = "true".equals(page.locator("#item").getAttribute("data-ready"));
        if (!played
                || !page.locator("#item").isVisible()
                || page.locator("#trouble").isVisible()) {
            return false;
        }
        String key = String.valueOf(page.locator("#item").getAttribute("data-key"));
        assertThat(said).as("nothing that was rated is asked again").doesNotContainKey(key);
        int value = 1 + said.size() % 9;
        page.keyboard().press(Integer.toString(value));
        page.waitForFunction(
                "key => document.getElementById('item').hidden || document.getElementById('item').dataset.key !== key"
                        + " || !document.getElementById('trouble').hidden",
                key);
        String words = page.locator("#said").textContent();
        if (page.locator("#trouble").isVisible() || !words.contains("Rated " + value)) {
            return false;
        }
        said.put(key, (double) value);
        return true;
    }

    /** Without a browser: training is killed at moments of chance, which closing may be among. */
    @Test
    void killedAgainAndAgainTrainingAsksNothingTwice() throws Exception {
        Map<String, Double> said = new HashMap<>();
        Random random = new Random(1);
        Process training = train("0");
        int kills = 0;
        try {
            awaitQueue(training);
            try (PeopleQueue queue = begun()) {
                while (training.isAlive()) {
                    if (kills < 3 && said.size() == 2 * (kills + 1)) {
                        Thread.sleep(random.nextInt(400));
                        training.destroyForcibly().waitFor();
                        kills++;
                        training = train("0");
                    }
                    if (queue.next(RatedRun.ANN) instanceof Next.Show(Item item, Duration lease)) {
                        double value = random.nextInt(11);
                        assertThat(said).doesNotContainKey(item.key());
                        try {
                            queue.rate(RatedRun.ANN, item.key(), value);
                            said.put(item.key(), value);
                        } catch (RatingRefused e) {
                            // withdrawn between the two
                        }
                    }
                    Thread.sleep(random.nextInt(200));
                }
            }
            assertThat(training.waitFor()).as(this::told).isZero();
        } finally {
            training.destroyForcibly();
        }
        assertThat(kills).isEqualTo(3);
        assertThat(ledger()).isEqualTo(said);
    }

    @Test
    void comparisonsTrainToo() throws Exception {
        Process training = train("0", "--rating", "compare");
        int compared = 0;
        try {
            awaitQueue(training);
            try (PeopleQueue queue = begun()) {
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
            assertThat(training.waitFor()).as(this::told).isZero();
        } finally {
            training.destroyForcibly();
        }
        assertThat(compared).isGreaterThanOrEqualTo(3 + 2 * 6);
        assertThat(ledger()).hasSizeBetween(2 * ITERATIONS, 3 * ITERATIONS);
    }

    private PeopleQueue begun() throws InterruptedException {
        while (true) {
            var queue = PeopleQueue.openExisting(run(), InstantSource.system());
            if (queue.isPresent()) {
                return queue.get();
            }
            Thread.sleep(20);
        }
    }
}
