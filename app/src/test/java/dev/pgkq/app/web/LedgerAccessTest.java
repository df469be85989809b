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

/** Tries to have a ledger opened that nobody offered to show. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "links need a privilege there")
class LedgerAccessTest {
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

    /** An entry of the run in a ledger there, so that it would be counted if the ledger were opened. */
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

    private void name(String ledger) throws IOException {
        Files.writeString(run.resolve("config.yaml"), settings + "ledger: \"" + ledger + "\"\n");
    }

    private JsonNode told(Path served, String... ledgers) throws Exception {
        try (Dashboard dashboard =
                Dashboard.start(Dashboard.Settings.of(served).withPort(0).withLedgers(List.of(ledgers)))) {
            Client client = new Client(dashboard);
            JsonNode told = client.json("/api/runs/one/ledger");
            // the list, a run's card and the events say no more than that
            JsonNode cost = client.json("/api/runs").path(0).path("cost");
            assertThat(cost.isNull()).isEqualTo(told.has("elsewhere"));
            assertThat(client.json("/api/runs/one").path("cost")).isEqualTo(cost);
            return told;
        }
    }

    private JsonNode told() throws Exception {
        return told(root);
    }

    private static void assertShown(JsonNode told) {
        assertThat(told.path("spent").asDouble()).isEqualTo(COST);
    }

    private static void assertElsewhere(JsonNode told, String place) {
        assertThat(told.toString()).isEqualTo("{\"elsewhere\":\"" + place + "\"}");
    }

    @Test
    void aFileInTheFolderIsShownHoweverItIsWritten() throws Exception {
        fill(root.resolve("shared.db"));
        name(run + "/../shared.db");
        assertShown(told());
        name("jdbc:sqlite:" + root.resolve("shared.db"));
        assertShown(told());
    }

    @Test
    void aFileOutsideIsNotOpened() throws Exception {
        fill(outside);
        name(outside.toString());
        assertElsewhere(told(), outside.toString());
        name("jdbc:sqlite:" + outside);
        assertElsewhere(told(), outside.toString());
    }

    /** Whether a file outside is there is told to nobody either. */
    @Test
    void aFileOutsideThatIsNotThereLooksTheSame() throws Exception {
        name(outside.toString());
        assertElsewhere(told(), outside.toString());
    }

    @Test
    void dotsDoNotLeadOut() throws Exception {
        fill(outside);
        name(run + "/../../outside.db");
        assertElsewhere(told(), "one/../../outside.db");
        Path cwd = Path.of("").toRealPath();
        name(cwd.relativize(outside).toString());
        assertElsewhere(told(), cwd.relativize(outside).toString());
    }

    @Test
    void aRunDirectoryOutsideIsNotOpened() throws Exception {
        Path other = TestRuns.copyTo(folder.resolve("other"));
        fill(other.resolve("ledger.db"));
        name(other.toString());
        assertElsewhere(told(), other.resolve("ledger.db").toString());
    }

    @Test
    void linksDoNotLeadOut() throws Exception {
        fill(outside);
        Files.createSymbolicLink(run.resolve("ledger.db"), outside);
        assertElsewhere(told(), "one/ledger.db");
        Files.createSymbolicLink(root.resolve("link"), folder);
        name(root.resolve("link/outside.db").toString());
        assertElsewhere(told(), "link/outside.db");
    }

    /** SQLite would write to the index of its log, wherever a link leads. */
    @Test
    void whatIsBesideALedgerDoesNotLeadOutEither() throws Exception {
        fill(run.resolve("ledger.db"));
        assertShown(told());
        Path untouched = Files.writeString(folder.resolve("untouched"), "as it was");
        for (String end : List.of("-shm", "-wal", "-journal")) {
            Path link = Files.createSymbolicLink(run.resolve("ledger.db" + end), untouched);
            assertElsewhere(told(), "one/ledger.db");
            Files.delete(link);
        }
        assertThat(untouched).hasContent("as it was");
    }

    @Test
    void aFolderThatIsALinkIsServedWithItsLedgerAndLinksInItAreNot() throws Exception {
        fill(run.resolve("ledger.db"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), root);
        assertShown(told(link));
        Files.createDirectory(folder.resolve("empty"));
        Files.createSymbolicLink(folder.resolve("empty/one"), run);
        try (Dashboard dashboard =
                Dashboard.start(Dashboard.Settings.of(folder.resolve("empty")).withPort(0))) {
            assertThat(new Client(dashboard).get("/api/runs/one/ledger").statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void aFileThatWasNamedIsShownAndNoOther() throws Exception {
        fill(outside);
        name(outside.toString());
        assertShown(told(root, outside.toString()));
        assertShown(told(root, "jdbc:sqlite:" + outside));
        assertShown(told(root, folder.resolve("not there.db").toString(), folder + "/served/../outside.db"));
        Path other = folder.resolve("other.db");
        fill(other);
        assertElsewhere(told(root, other.toString(), folder.toString()), outside.toString());
    }

    @Test
    void noServerIsCalledThatWasNotNamed() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"))) {
            Thread.ofVirtual().start(() -> count(server, calls));
            String address = "jdbc:postgresql://127.0.0.1:" + server.getLocalPort() + "/rewards";
            name(address + "?user=somebody&password=hush");
            assertElsewhere(told(), address);
            assertElsewhere(told(root, address + "2?user=me"), address);
            assertThat(calls).hasValue(0);
            try (Dashboard dashboard = Dashboard.start(
                    Dashboard.Settings.of(root).withPort(0).withLedgers(List.of(address + "?user=me")))) {
                assertThat(new Client(dashboard).get("/api/runs/one/ledger").statusCode())
                        .isEqualTo(404); // called, and no database
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
        name("jdbc:postgresql://somebody:hush@192.0.2.1:5433/rewards?user=somebody&password=hush");
        assertElsewhere(told(), "jdbc:postgresql://192.0.2.1:5433/rewards");
    }

    @Test
    void whatPeopleAreAskedIsNotOpenedThroughLinks() throws Exception {
        PeopleSettings people = new PeopleSettings(
                Rating.SCALE,
                RatingScale.parse("0..10"),
                1,
                Duration.ZERO,
                PeopleSettings.DEFAULT_LEASE,
                Optional.empty());
        PeopleQueue.open(run, people, InstantSource.system()).close();
        Path untouched = Files.writeString(folder.resolve("untouched"), "as it was");
        try (Dashboard dashboard = Dashboard.start(Dashboard.Settings.of(root).withPort(0))) {
            Client client = new Client(dashboard);
            assertThat(client.get("/api/runs/one/rating").statusCode()).isEqualTo(200);
            Path link = Files.createSymbolicLink(run.resolve("people.db-shm"), untouched);
            assertThat(client.get("/api/runs/one/rating").statusCode()).isEqualTo(404);
            Files.delete(link);
            Files.move(run.resolve("people.db"), outside);
            Files.createSymbolicLink(run.resolve("people.db"), outside);
            assertThat(client.get("/api/runs/one/rating").statusCode()).isEqualTo(404);
        }
        assertThat(untouched).hasContent("as it was");
    }

    @Test
    void aLedgerThatCannotBeOneIsRefusedWhenTheServerStarts() {
        assertThatThrownBy(() -> told(root, "postgres://somewhere/rewards"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("jdbc:postgresql://");
    }
}
