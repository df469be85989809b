package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.run.MetricsFile;
import dev.pgkq.app.web.EventStreamClient.Event;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Server-sent events: updates arrive, none is lost, and a viewer that reconnects continues where it was. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class EventStreamTest {
    private static final int FIRST = TestRuns.ITERATIONS;

    @TempDir
    private Path root = Path.of("");

    private Path run = Path.of("");
    private Dashboard dashboard;

    @BeforeEach
    void start() throws Exception {
        run = TestRuns.copyTo(root.resolve("one"));
        dashboard = Dashboard.start(Dashboard.Settings.of(root).withPort(0));
    }

    @AfterEach
    void stop() {
        dashboard.close();
    }

    private static List<Integer> upTo(int last) {
        return IntStream.rangeClosed(1, last).boxed().toList();
    }

    private static List<Integer> from(int first, int last) {
        return IntStream.rangeClosed(first, last).boxed().toList();
    }

    @Test
    void aViewerReceivesExistingAndNewRows() throws Exception {
        try (EventStreamClient viewer = new EventStreamClient(dashboard, "?runs=one", "")) {
            viewer.awaitRow(FIRST);
            TestRuns.addRows(run, 3);
            viewer.awaitRow(FIRST + 3);
            assertThat(viewer.rows()).isEqualTo(upTo(FIRST + 3));
            Event row = viewer.events().stream()
                    .filter(event -> event.name().equals("row"))
                    .toList()
                    .getLast();
            assertThat(row.data().path("run").asString()).isEqualTo("one");
            assertThat(row.data().path("row").path(1).asDouble()).isEqualTo(100 * (FIRST + 3) + 0.25);
            viewer.await(events -> events.stream()
                    .anyMatch(event -> event.name().equals("state")
                            && event.data().path("iteration").asInt() == FIRST + 3));
        }
    }

    @Test
    void aViewerWithSomeRowsReceivesTheOthers() throws Exception {
        try (EventStreamClient viewer = new EventStreamClient(dashboard, "?runs=one&from=2", "")) {
            viewer.awaitRow(FIRST);
            assertThat(viewer.rows()).isEqualTo(from(3, FIRST));
        }
    }

    @Test
    void aReconnectContinuesWhereItWasEvenAfterARestart() throws Exception {
        EventStreamClient first = new EventStreamClient(dashboard, "?runs=one", "");
        first.awaitRow(FIRST);
        first.close();
        TestRuns.addRows(run, 2);
        EventStreamClient second = new EventStreamClient(dashboard, "?runs=one", first.lastId());
        second.awaitRow(FIRST + 2);
        assertThat(second.rows()).isEqualTo(from(FIRST + 1, FIRST + 2));
        dashboard.close();
        assertThat(second.awaitEnd()).isTrue();
        TestRuns.addRows(run, 2);
        dashboard = Dashboard.start(Dashboard.Settings.of(root).withPort(0));
        try (EventStreamClient third = new EventStreamClient(dashboard, "?runs=one", second.lastId())) {
            third.awaitRow(FIRST + 4);
            assertThat(third.rows()).isEqualTo(from(FIRST + 3, FIRST + 4));
            assertThat(third.events()).noneMatch(event -> event.name().equals("reset"));
        }
    }

    @Test
    void aLateViewerReceivesRowsThatAreNoLongerKeptInMemory() throws Exception {
        EventStreamClient first = new EventStreamClient(dashboard, "?runs=one", "");
        first.awaitRow(FIRST);
        int more = 3 * RunFeed.MAX_RECENT_ROWS;
        TestRuns.addRows(run, more);
        first.awaitRow(FIRST + more);
        assertThat(first.rows()).isEqualTo(upTo(FIRST + more));
        String last = first.lastId();
        first.close();
        TestRuns.addRows(run, more);
        try (EventStreamClient second = new EventStreamClient(dashboard, "?runs=one", last)) {
            second.awaitRow(FIRST + 2 * more);
            assertThat(second.rows()).isEqualTo(from(FIRST + more + 1, FIRST + 2 * more));
        }
    }

    @Test
    void rowsDroppedByResumingCauseAReset() throws Exception {
        List<String> columns = List.of(
                Files.readAllLines(run.resolve("metrics.csv")).getFirst().split(","));
        EventStreamClient away = new EventStreamClient(dashboard, "?runs=one", "");
        away.awaitRow(FIRST);
        away.close();
        try (EventStreamClient viewer = new EventStreamClient(dashboard, "?runs=one", "")) {
            viewer.awaitRow(FIRST);
            MetricsFile.openForResume(run.resolve("metrics.csv"), columns, FIRST - 2)
                    .close();
            TestRuns.addRows(run, 4);
            viewer.awaitRow(FIRST + 2);
            List<Event> events = viewer.events().stream()
                    .filter(event -> event.name().equals("row") || event.name().equals("reset"))
                    .toList();
            assertThat(events.stream().map(Event::name).toList().indexOf("reset"))
                    .isEqualTo(FIRST);
            assertThat(viewer.rows().subList(FIRST, viewer.rows().size())).isEqualTo(upTo(FIRST + 2));
        }
        try (EventStreamClient back = new EventStreamClient(dashboard, "?runs=one", away.lastId())) {
            back.awaitRow(FIRST + 2);
            assertThat(back.events().getFirst().name()).isEqualTo("reset");
            assertThat(back.rows()).isEqualTo(upTo(FIRST + 2));
        }
    }

    @Test
    void aResumeThatDropsNothingCausesNoReset() throws Exception {
        List<String> columns = List.of(
                Files.readAllLines(run.resolve("metrics.csv")).getFirst().split(","));
        try (EventStreamClient viewer = new EventStreamClient(dashboard, "?runs=one", "")) {
            viewer.awaitRow(FIRST);
            MetricsFile.openForResume(run.resolve("metrics.csv"), columns, FIRST)
                    .close();
            TestRuns.addRows(run, 1);
            viewer.awaitRow(FIRST + 1);
            assertThat(viewer.rows()).isEqualTo(upTo(FIRST + 1));
            assertThat(viewer.events()).noneMatch(event -> event.name().equals("reset"));
        }
    }

    @Test
    void anIncompleteRowIsSentOnceComplete() throws Exception {
        Path file = run.resolve("metrics.csv");
        try (EventStreamClient viewer = new EventStreamClient(dashboard, "?runs=one", "")) {
            viewer.awaitRow(FIRST);
            Files.writeString(file, (FIRST + 1) + ",12", StandardOpenOption.APPEND);
            TimeUnit.SECONDS.sleep(1); // the watcher polls it meanwhile
            assertThat(viewer.rows()).isEqualTo(upTo(FIRST));
            Files.writeString(file, "34,5\n", StandardOpenOption.APPEND);
            viewer.awaitRow(FIRST + 1);
            Event row = viewer.events().stream()
                    .filter(event -> event.name().equals("row"))
                    .toList()
                    .getLast();
            assertThat(row.data().path("row").path(1).asInt()).isEqualTo(1234);
        }
    }

    @Test
    void severalRunsShareAStreamAndContinueTogether() throws Exception {
        Path other = TestRuns.copyTo(root.resolve("two"));
        EventStreamClient first = awaitBoth("");
        first.close();
        TestRuns.addRows(run, 1);
        TestRuns.addRows(other, 2);
        try (EventStreamClient second = new EventStreamClient(dashboard, "?runs=one,two", first.lastId())) {
            second.await(events ->
                    events.stream().filter(event -> event.name().equals("row")).count() == 3);
            assertThat(second.rows()).containsExactlyInAnyOrder(FIRST + 1, FIRST + 1, FIRST + 2);
        }
    }

    private EventStreamClient awaitBoth(String id) throws Exception {
        for (int i = 0; i < 50; i++) {
            EventStreamClient viewer = new EventStreamClient(dashboard, "?runs=one,two", id);
            if (viewer.status() == 200) {
                viewer.await(events -> events.stream()
                                .filter(event -> event.name().equals("row"))
                                .count()
                        == 2 * FIRST);
                return viewer;
            }
            viewer.close();
            Thread.sleep(100); // until the second run is found
        }
        throw new AssertionError("the second run was not found");
    }

    @Test
    @Tag("slow")
    void changesOfTheRunListAreSent() throws Exception {
        try (EventStreamClient viewer = new EventStreamClient(dashboard, "", "")) {
            viewer.await(events -> events.stream()
                    .anyMatch(event -> event.data().path("id").asString("").equals("one")));
            TestRuns.copyTo(root.resolve("two"));
            viewer.await(events -> events.stream()
                    .anyMatch(event -> event.data().path("id").asString("").equals("two")));
            Files.delete(run.resolve("config.yaml"));
            viewer.await(events -> events.stream()
                    .anyMatch(event -> event.name().equals("gone")
                            && event.data().path("run").asString().equals("one")));
            assertThat(viewer.rows()).isEmpty();
        }
    }

    @Test
    void newIterationsOfTheTraceAreSent() throws Exception {
        Path iterations = Files.createDirectories(run.resolve("trace/iterations"));
        Files.writeString(iterations.resolve("000001.json"), "{}");
        EventStreamClient first = new EventStreamClient(dashboard, "?runs=one", "");
        first.await(events -> traced(events).equals(List.of(1)));
        appear(iterations.resolve("000002.json"));
        first.await(events -> traced(events).equals(List.of(1, 2)));
        first.close();
        appear(iterations.resolve("000003.json"));
        try (EventStreamClient second = new EventStreamClient(dashboard, "?runs=one", first.lastId())) {
            second.await(events -> traced(events).equals(List.of(2, 3)));
        }
    }

    /** Creates a file atomically, as training does, so that it is reported once. */
    private void appear(Path file) throws IOException {
        Path fresh = Files.writeString(run.resolve("fresh"), "{}");
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static List<Integer> traced(List<Event> events) {
        List<Integer> iterations = new ArrayList<>();
        events.stream()
                .filter(event -> event.name().equals("trace"))
                .forEach(event -> iterations.add(event.data().path("iteration").asInt()));
        return iterations;
    }

    @Test
    void aViewerThatReadsNothingDelaysNobody() throws Exception {
        List<Socket> stalled = new ArrayList<>();
        try (EventStreamClient viewer = new EventStreamClient(dashboard, "?runs=one", "")) {
            for (int i = 0; i < 5; i++) {
                Socket socket = new Socket();
                socket.setReceiveBufferSize(1024);
                socket.connect(new InetSocketAddress("127.0.0.1", dashboard.port()));
                socket.getOutputStream()
                        .write("GET /api/events?runs=one HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                .getBytes(StandardCharsets.UTF_8));
                stalled.add(socket);
            }
            int rows = FIRST;
            for (int i = 0; i < 10; i++) {
                TestRuns.addRows(run, 2000);
                rows += 2000;
                viewer.awaitRow(rows);
            }
            assertThat(viewer.rows()).isEqualTo(upTo(rows));
        } finally {
            for (Socket socket : stalled) {
                socket.close();
            }
        }
    }

    @Test
    void viewersBeyondTheMaximumAreRejected() throws Exception {
        try (Dashboard small =
                        Dashboard.start(Dashboard.Settings.of(root).withPort(0).withMaxViewers(1));
                EventStreamClient one = new EventStreamClient(small, "?runs=one", "")) {
            one.awaitRow(FIRST);
            try (EventStreamClient two = new EventStreamClient(small, "?runs=one", "")) {
                assertThat(two.status()).isEqualTo(503);
                assertThat(two.header("Retry-After")).isEqualTo("10");
            }
        }
    }

    /** Half of the connections without a session, a fifth with one, three quarters from one address. */
    @Test
    @Tag("slow")
    void oneClientCannotUseUpAllConnections() throws Exception {
        List<EventStreamClient> viewers = new ArrayList<>();
        try (Dashboard small =
                Dashboard.start(Dashboard.Settings.of(root).withPort(0).withMaxViewers(20))) {
            DashboardClient client = new DashboardClient(small);
            assertThat(watching(small, 15, "", viewers)).isEqualTo(10);
            EventStreamClient refused = viewers.getLast();
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Retry-After")).isEqualTo("10");
            String cookie = DashboardClient.cookie(client.get("/api/session"));
            assertThat(watching(small, 6, cookie, viewers)).isEqualTo(4);
            String other = DashboardClient.cookie(client.get("/api/session"));
            assertThat(watching(small, 6, other, viewers)).isEqualTo(1);
            viewers.getFirst().close();
            awaitStatus(small, other);
        } finally {
            for (EventStreamClient viewer : viewers) {
                viewer.close();
            }
        }
    }

    private static long watching(Dashboard dashboard, int count, String cookie, List<EventStreamClient> viewers)
            throws Exception {
        List<EventStreamClient> opened = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            opened.add(new EventStreamClient(dashboard, "?runs=one", "", cookie));
        }
        viewers.addAll(opened);
        return opened.stream().filter(viewer -> viewer.status() == 200).count();
    }

    /** The server notices a disconnect when it sends something. */
    private static void awaitStatus(Dashboard dashboard, String cookie) throws Exception {
        for (int i = 0; i < 300; i++) {
            try (EventStreamClient viewer = new EventStreamClient(dashboard, "?runs=one", "", cookie)) {
                if (viewer.status() == 200) {
                    return;
                }
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        throw new AssertionError("the released connection was not given to another viewer");
    }
}
