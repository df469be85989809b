package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.run.Metrics;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.rewards.files.FolderLock;
import dev.pgkq.rewards.ledger.EvaluationId;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.RunName;
import dev.pgkq.rewards.request.Reply;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The web API for real run directories. */
class DashboardTest {
    @TempDir
    private Path root = Path.of("");

    private Dashboard dashboard;
    private DashboardClient client;

    @BeforeEach
    void start() {
        dashboard = Dashboard.start(Dashboard.Settings.of(root).withPort(0));
        client = new DashboardClient(dashboard);
    }

    @AfterEach
    void stop() {
        dashboard.close();
    }

    @Test
    void listsTheRuns() throws Exception {
        TestRuns.copyTo(root.resolve("one"));
        TestRuns.copyTo(root.resolve("grid/task a/seed1"));
        JsonNode runs = client.json("/api/runs");
        assertThat(runs.size()).isEqualTo(2);
        assertThat(runs.path(0).path("id").asString()).isEqualTo("grid~task=20a~seed1");
        assertThat(runs.path(0).path("name").asString()).isEqualTo("grid/task a/seed1");
        JsonNode one = runs.path(1);
        Metrics metrics = Metrics.read(root.resolve("one/metrics.csv"));
        assertThat(one.path("state").asString()).isEqualTo("finished");
        assertThat(one.path("task").asString()).isEqualTo("Pendulum-v1");
        assertThat(one.path("algorithm").asString()).isEqualTo("ppo-kq");
        assertThat(one.path("iteration").asInt()).isEqualTo(TestRuns.ITERATIONS);
        assertThat(one.path("iterations").asInt()).isEqualTo(TestRuns.ITERATIONS);
        assertThat(one.path("return").asDouble()).isEqualTo(metrics.column("return_mean")[TestRuns.ITERATIONS - 1]);
        assertThat(one.path("rewardEvaluations").asInt()).isEqualTo(2 * TestRuns.ITERATIONS);
        assertThat(one.path("cost").isNull()).isTrue();
        assertThat(one.path("ratable").asBoolean()).isFalse();
    }

    /** The last row of a task without a reward of its own has the return 0 ± 0. */
    @Test
    void withExternalRewardsTheReturnIsThePaidOne() throws Exception {
        TracedRun judged = TracedRun.make(root.resolve("judged"), 3);
        judged.set("reward", "'exec:judge'");
        TracedRun bare = TracedRun.make(root.resolve("bare"), 3);
        bare.set("reward", "human");
        bare.withoutTaskReward();
        TracedRun.make(root.resolve("plain"), 3);
        JsonNode run = client.json("/api/runs/judged");
        assertThat(run.path("external").asBoolean()).isTrue();
        assertThat(run.path("return").asDouble()).isEqualTo(TracedRun.paidReturn(3));
        assertThat(run.path("taskReturn").asDouble()).isEqualTo(TracedRun.meanReturn(3));
        run = client.json("/api/runs/bare");
        assertThat(run.path("return").asDouble()).isEqualTo(TracedRun.paidReturn(3));
        assertThat(run.path("taskReturn").isNull()).isTrue();
        run = client.json("/api/runs/plain");
        assertThat(run.path("external").asBoolean()).isFalse();
        assertThat(run.path("return").asDouble()).isEqualTo(TracedRun.meanReturn(3));
        assertThat(run.path("taskReturn").isNull()).isTrue();
    }

    @Test
    void returnsSettingsAndEventsOfARun() throws Exception {
        TestRuns.copyTo(root.resolve("one"));
        JsonNode run = client.json("/api/runs/one");
        assertThat(run.path("config").path("batch").asString()).isEqualTo("4");
        assertThat(run.path("events").path(0).path("event").asString()).isEqualTo("started");
        assertThat(run.path("events").path(1).path("event").asString()).isEqualTo("finished");
    }

    @Test
    void returnsEveryNumberOfTheMetrics() throws Exception {
        Path run = TestRuns.copyTo(root.resolve("one"));
        Files.writeString(run.resolve("metrics.csv"), "5,not fini", StandardOpenOption.APPEND);
        Metrics metrics = Metrics.read(run.resolve("metrics.csv"));
        JsonNode answer = client.json("/api/runs/one/metrics");
        assertThat(answer.path("seq").asInt()).isEqualTo(metrics.size());
        for (int column = 0; column < metrics.columns().size(); column++) {
            assertThat(answer.path("columns").path(column).asString())
                    .isEqualTo(metrics.columns().get(column));
            for (int row = 0; row < metrics.size(); row++) {
                JsonNode value = answer.path("rows").path(row).path(column);
                Double expected = metrics.rows().get(row).get(column);
                assertThat(value.isNull() ? Double.NaN : value.asDouble()).isEqualTo(expected);
            }
        }
    }

    @Test
    void aSingleRunCanBeServedAndNewRunsAppear() throws Exception {
        assertThat(client.json("/api/runs").size()).isZero();
        Path run = TestRuns.copyTo(root.resolve("late"));
        JsonNode runs = client.json("/api/runs");
        for (int i = 0; runs.isEmpty() && i < 100; i++) {
            Thread.sleep(100);
            runs = client.json("/api/runs");
        }
        assertThat(runs.path(0).path("id").asString()).isEqualTo("late");
        try (Dashboard one = Dashboard.start(Dashboard.Settings.of(run).withPort(0))) {
            assertThat(new DashboardClient(one)
                            .json("/api/runs/late")
                            .path("name")
                            .asString())
                    .isEqualTo("late");
        }
    }

    @Test
    void returnsFigureAndIterations() throws Exception {
        Path run = TestRuns.copyTo(root.resolve("one"));
        assertThat(client.get("/api/runs/one/iterations/77").statusCode()).isEqualTo(404);
        assertThat(client.get("/api/runs/one/iterations/seven").statusCode()).isEqualTo(400);
        assertThat(client.get("/api/runs/one/iterations/77/episodes/0").statusCode())
                .isEqualTo(404);
        Files.createDirectories(run.resolve("trace/iterations"));
        Files.writeString(run.resolve("trace/figure.json"), "{\"bodies\": []}");
        Files.writeString(run.resolve("trace/iterations/000077.json"), "{\"iteration\": 77}");
        assertThat(client.json("/api/runs/one/figure").path("bodies").isArray()).isTrue();
        assertThat(client.json("/api/runs/one/trace").path("figure").asBoolean())
                .isTrue();
        assertThat(client.json("/api/runs/one/trace").path("iterations").toString())
                .contains("77");
        assertThat(client.json("/api/runs/one/iterations/77").path("iteration").asInt())
                .isEqualTo(77);
    }

    @Test
    void returnsLedgerTotalsAndBudget() throws Exception {
        Path run = TestRuns.copyTo(root.resolve("one"));
        Files.writeString(run.resolve("config.yaml"), "max-evaluations: 200\n", StandardOpenOption.APPEND);
        assertThat(client.get("/api/runs/one/ledger").statusCode()).isEqualTo(404);
        String name = RunName.of("one", new RunDirectory(run).id());
        try (Ledger ledger = Ledger.open(run.toString())) {
            ledger.claim(wanted(4, name));
            ledger.release(List.of(wanted(4, name).key())); // selected but not bought
            for (int i = 0; i < 4; i++) {
                ledger.claim(wanted(i, name));
                ledger.attempted(wanted(i, name).key());
            }
            ledger.done(wanted(0, name).key(), Reply.ofSteps(new double[] {1, 2}, 0.75));
            ledger.done(wanted(1, name).key(), Reply.ofSteps(new double[] {1, 2}, 0.5));
            ledger.failed(wanted(2, name).key(), "no");
            JsonNode answer = client.json("/api/runs/one/ledger");
            assertThat(answer.path("done").asInt()).isEqualTo(2);
            assertThat(answer.path("failed").asInt()).isEqualTo(1);
            assertThat(answer.path("outstanding").asInt()).isEqualTo(1);
            assertThat(answer.path("spent").asDouble()).isEqualTo(1.25);
            assertThat(answer.path("maxEvaluations").asInt()).isEqualTo(200);
            assertThat(answer.path("maxCost").isNull()).isTrue();
            int counted = 0;
            for (JsonNode bin : answer.path("seconds")) {
                counted += bin.path("count").asInt();
            }
            assertThat(counted).isEqualTo(2);
            assertThat(client.json("/api/runs/one").path("cost").asDouble()).isEqualTo(1.25);
        }
    }

    /** Entries of other runs in a shared ledger do not count. */
    @Test
    void totalsOfASharedLedgerCoverOnlyTheRunsOwnEntries() throws Exception {
        Path run = TestRuns.copyTo(root.resolve("one"));
        Path shared = root.resolve("shared.db");
        Files.writeString(run.resolve("config.yaml"), "ledger: \"" + shared + "\"\n", StandardOpenOption.APPEND);
        String name = RunName.of("one", new RunDirectory(run).id());
        assertThat(name).startsWith("one#");
        try (Ledger ledger = Ledger.open(shared.toString())) {
            for (EvaluationId wanted : List.of(wanted(0, name), wanted(1, name), wanted(2, "other#1"))) {
                ledger.claim(wanted);
                ledger.attempted(wanted.key());
                ledger.done(wanted.key(), Reply.ofSteps(new double[] {1, 2}, 0.5));
            }
        }
        JsonNode answer = client.json("/api/runs/one/ledger");
        assertThat(answer.path("done").asInt()).isEqualTo(2);
        assertThat(answer.path("spent").asDouble()).isEqualTo(1);
    }

    private static EvaluationId wanted(int index, String run) {
        float[] actions = {index, 1};
        Episode episode = new Episode(7, index, 2, actions, actions, actions, new double[3], Ending.TERMINATED);
        return EvaluationId.of("a judge", "Hopper-v4", run, episode);
    }

    @Test
    void anUnreachableDatabaseDelaysNoRequest() throws Exception {
        Path run = TestRuns.copyTo(root.resolve("one"));
        // an address that never answers
        Files.writeString(
                run.resolve("config.yaml"),
                "ledger: \"jdbc:postgresql://192.0.2.1/none?user=me&password=hush\"\n",
                StandardOpenOption.APPEND);
        HttpResponse<String> response = client.get("/api/runs/one");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("192.0.2.1").doesNotContain("hush");
        assertThat(client.json("/api/runs").size()).isEqualTo(1);
    }

    @Test
    void filesHaveATypeAndAnEtag() throws Exception {
        HttpResponse<String> library = client.get("/lib/d3.min.js");
        assertThat(library.statusCode()).isEqualTo(200);
        assertThat(library.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/javascript;");
        assertThat(library.body()).contains("d3js.org");
        String etag = library.headers().firstValue("ETag").orElseThrow();
        assertThat(client.get("/lib/d3.min.js", "If-None-Match", etag).statusCode())
                .isEqualTo(304);
        assertThat(client.get("/login.html")
                        .headers()
                        .firstValue("Content-Type")
                        .orElseThrow())
                .startsWith("text/html;");
    }

    @Test
    void damagedRunsAreShownAsFarAsPossible() throws Exception {
        Path run = TestRuns.copyTo(root.resolve("broken"));
        Files.writeString(run.resolve("config.yaml"), "[not: settings");
        Files.writeString(run.resolve("events.jsonl"), "{\"event\": \nnull\n[1]\n");
        Files.writeString(run.resolve("metrics.csv"), "iteration,return_mean\n1,x,3\n2\n");
        TestRuns.copyTo(root.resolve("sound"));
        JsonNode runs = client.json("/api/runs");
        assertThat(runs.size()).isEqualTo(2);
        assertThat(runs.path(0).path("task").asString()).isEmpty();
        assertThat(client.json("/api/runs/broken/metrics").path("rows").toString())
                .isEqualTo("[[1,null],[2,null]]");
    }

    @Test
    void aKilledRunIsNotRunning() throws Exception {
        Path run = TestRuns.copyTo(root.resolve("one"));
        List<String> events = Files.readAllLines(run.resolve("events.jsonl"));
        Files.writeString(run.resolve("events.jsonl"), events.getFirst() + "\n");
        assertThat(client.json("/api/runs/one").path("state").asString()).isEqualTo("running");
        for (String file : List.of("events.jsonl", "metrics.csv", "config.yaml")) {
            assertThat(run.resolve(file).toFile().setLastModified(System.currentTimeMillis() - 3_600_000))
                    .isTrue();
        }
        assertThat(awaitState("one", "stopped")).isTrue();
        Path folder = root.resolve("one");
        try (FolderLock lock = new RunDirectory(folder).lock()) {
            if (Files.isReadable(Path.of("/proc/locks"))) {
                assertThat(awaitState("one", "running")).isTrue();
            }
            assertThat(lock.channel().isOpen()).isTrue();
        }
    }

    private boolean awaitState(String run, String state) throws IOException, InterruptedException {
        for (int i = 0; i < 50; i++) {
            if (client.json("/api/runs/" + run).path("state").asString().equals(state)) {
                return true;
            }
            Thread.sleep(100);
        }
        return false;
    }
}
