package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.rewards.ledger.EvaluationId;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.RunName;
import dev.pgkq.rewards.people.PeopleQueue;
import dev.pgkq.rewards.people.PeopleSettings;
import dev.pgkq.rewards.people.Rating;
import dev.pgkq.rewards.people.RatingScale;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Attempts to open ledgers that must not be shown. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "symbolic links require a privilege on Windows")
class LedgerAccessPolicyTest {
    private static final double COST = 0.75;

    @TempDir
    private Path folder = Path.of("");

    private Path root = Path.of("");
    private Path run = Path.of("");
    private Path outside = Path.of("");
    private String settings = "";

    @BeforeEach
    void makeRun() throws Exception {
        folder = folder.toRealPath();
        root = folder.resolve("served");
        run = TestRuns.copyTo(root.resolve("one"));
        outside = folder.resolve("outside.db");
        settings = Files.readString(run.resolve("config.yaml"));
    }

    /** Adds an entry of the run to a ledger, which counts if the ledger is opened. */
    private void fill(Path ledger) {
        Episode episode =
                new Episode(7, 1, 2, new float[2], new float[2], new float[2], new double[3], Ending.TERMINATED);
        EvaluationId wanted =
                EvaluationId.of("a judge", "Pendulum-v1", RunName.of("one", new RunDirectory(run).id()), episode);
        try (Ledger open = Ledger.open(ledger.toString())) {
            open.claim(wanted);
            open.attempted(wanted.key());
            open.done(wanted.key(), Reply.ofSteps(new double[] {1, 2}, COST));
        }
    }

    private void setLedger(String ledger) throws IOException {
        Files.writeString(run.resolve("config.yaml"), settings + "ledger: \"" + ledger + "\"\n");
    }

    private JsonNode request(Path served, String... ledgers) throws Exception {
        try (Dashboard dashboard =
                Dashboard.start(Dashboard.Settings.of(served).withPort(0).withLedgers(List.of(ledgers)))) {
            DashboardClient client = new DashboardClient(dashboard);
            JsonNode answer = client.json("/api/runs/one/ledger");
            // the list and the run's page reveal no more than that
            JsonNode cost = client.json("/api/runs").path(0).path("cost");
            assertThat(cost.isNull()).isEqualTo(answer.has("elsewhere"));
            assertThat(client.json("/api/runs/one").path("cost")).isEqualTo(cost);
            return answer;
        }
    }

    private JsonNode request() throws Exception {
        return request(root);
    }

    private static void assertShown(JsonNode answer) {
        assertThat(answer.path("spent").asDouble()).isEqualTo(COST);
    }

    private static void assertHidden(JsonNode answer, String place) {
        assertThat(answer.toString()).isEqualTo("{\"elsewhere\":\"" + place + "\"}");
    }

    @Test
    void aFileInTheFolderIsOpenedHoweverItIsNamed() throws Exception {
        fill(root.resolve("shared.db"));
        setLedger(run + "/../shared.db");
        assertShown(request());
        setLedger("jdbc:sqlite:" + root.resolve("shared.db"));
        assertShown(request());
    }

    @Test
    void aFileOutsideIsNotOpened() throws Exception {
        fill(outside);
        setLedger(outside.toString());
        assertHidden(request(), outside.toString());
        setLedger("jdbc:sqlite:" + outside);
        assertHidden(request(), outside.toString());
    }

    /** The response does not reveal whether a file outside exists. */
    @Test
    void aMissingFileOutsideLooksTheSame() throws Exception {
        setLedger(outside.toString());
        assertHidden(request(), outside.toString());
    }

    @Test
    void dotsDoNotLeadOut() throws Exception {
        fill(outside);
        setLedger(run + "/../../outside.db");
        assertHidden(request(), "one/../../outside.db");
        Path cwd = Path.of("").toRealPath();
        setLedger(cwd.relativize(outside).toString());
        assertHidden(request(), cwd.relativize(outside).toString());
    }

    @Test
    void aRunDirectoryOutsideIsNotOpened() throws Exception {
        Path other = TestRuns.copyTo(folder.resolve("other"));
        fill(other.resolve("ledger.db"));
        setLedger(other.toString());
        assertHidden(request(), other.resolve("ledger.db").toString());
    }

    @Test
    void linksDoNotLeadOut() throws Exception {
        fill(outside);
        Files.createSymbolicLink(run.resolve("ledger.db"), outside);
        assertHidden(request(), "one/ledger.db");
        Files.createSymbolicLink(root.resolve("link"), folder);
        setLedger(root.resolve("link/outside.db").toString());
        assertHidden(request(), "link/outside.db");
    }

    /** SQLite would write to the index of its log, even through a link. */
    @Test
    void linksBesideALedgerDoNotLeadOut() throws Exception {
        fill(run.resolve("ledger.db"));
        assertShown(request());
        Path untouched = Files.writeString(folder.resolve("untouched"), "unchanged");
        for (String end : List.of("-shm", "-wal", "-journal")) {
            Path link = Files.createSymbolicLink(run.resolve("ledger.db" + end), untouched);
            assertHidden(request(), "one/ledger.db");
            Files.delete(link);
        }
        assertThat(untouched).hasContent("unchanged");
    }

    @Test
    void theServedFolderMayBeALinkButLinksInItAreNotFollowed() throws Exception {
        fill(run.resolve("ledger.db"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), root);
        assertShown(request(link));
        Files.createDirectory(folder.resolve("empty"));
        Files.createSymbolicLink(folder.resolve("empty/one"), run);
        try (Dashboard dashboard =
                Dashboard.start(Dashboard.Settings.of(folder.resolve("empty")).withPort(0))) {
            assertThat(new DashboardClient(dashboard)
                            .get("/api/runs/one/ledger")
                            .statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void onlyNamedFilesOutsideAreOpened() throws Exception {
        fill(outside);
        setLedger(outside.toString());
        assertShown(request(root, outside.toString()));
        assertShown(request(root, "jdbc:sqlite:" + outside));
        assertShown(request(root, folder.resolve("not there.db").toString(), folder + "/served/../outside.db"));
        Path other = folder.resolve("other.db");
        fill(other);
        assertHidden(request(root, other.toString(), folder.toString()), outside.toString());
    }

    @Test
    void onlyNamedServersAreContacted() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"))) {
            Thread.ofVirtual().start(() -> count(server, calls));
            String address = "jdbc:postgresql://127.0.0.1:" + server.getLocalPort() + "/rewards";
            setLedger(address + "?user=somebody&password=hush");
            assertHidden(request(), address);
            assertHidden(request(root, address + "2?user=me"), address);
            assertThat(calls).hasValue(0);
            try (Dashboard dashboard = Dashboard.start(
                    Dashboard.Settings.of(root).withPort(0).withLedgers(List.of(address + "?user=me")))) {
                assertThat(new DashboardClient(dashboard)
                                .get("/api/runs/one/ledger")
                                .statusCode())
                        .isEqualTo(404); // contacted, but not a database
            }
            assertThat(calls).hasPositiveValue();
        }
    }

    private static void count(ServerSocket server, AtomicInteger calls) {
        try {
            while (true) {
                try (Socket _ = server.accept()) {
                    calls.incrementAndGet();
                }
            }
        } catch (IOException e) {
            // closed
        }
    }

    @Test
    void viewersSeeNeitherUserNorPassword() throws Exception {
        setLedger("jdbc:postgresql://somebody:hush@192.0.2.1:5433/rewards?user=somebody&password=hush");
        assertHidden(request(), "jdbc:postgresql://192.0.2.1:5433/rewards");
    }

    @Test
    void theRatingQueueIsNotOpenedThroughLinks() throws Exception {
        PeopleSettings people = new PeopleSettings(
                Rating.SCALE,
                RatingScale.parse("0..10"),
                1,
                Duration.ZERO,
                PeopleSettings.DEFAULT_LEASE,
                Optional.empty());
        PeopleQueue.open(run, people, InstantSource.system()).close();
        Path untouched = Files.writeString(folder.resolve("untouched"), "unchanged");
        try (Dashboard dashboard = Dashboard.start(Dashboard.Settings.of(root).withPort(0))) {
            DashboardClient client = new DashboardClient(dashboard);
            assertThat(client.get("/api/runs/one/rating").statusCode()).isEqualTo(200);
            Path link = Files.createSymbolicLink(run.resolve("people.db-shm"), untouched);
            assertThat(client.get("/api/runs/one/rating").statusCode()).isEqualTo(404);
            Files.delete(link);
            Files.move(run.resolve("people.db"), outside);
            Files.createSymbolicLink(run.resolve("people.db"), outside);
            assertThat(client.get("/api/runs/one/rating").statusCode()).isEqualTo(404);
        }
        assertThat(untouched).hasContent("unchanged");
    }

    @Test
    void anInvalidLedgerIsRejectedWhenTheServerStarts() {
        assertThatThrownBy(() -> request(root, "postgres://somewhere/rewards"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("jdbc:postgresql://");
    }
}
