package dev.pgkq.rewards.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.rewards.ledger.EvaluationId;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.State;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.text.UserException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The ledger's server stops while rewards are pending, and the run stops before it is back: no answer is lost. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SpoolWithPostgresTest {
    private static final int ANSWERS = 3;
    /** A run that is stopped at once must spool its answers within this time. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder = Path.of("");

    private int port;
    private final List<String> told = Collections.synchronizedList(new ArrayList<>());
    private final List<String> warned = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void findAPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
    }

    /** Starts the server with its previous contents. */
    private EmbeddedPostgres server() throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("data"))
                .setCleanDataDirectory(false)
                .setPort(port)
                .start();
    }

    private AnswerRecorder recorder(String ledger) throws IOException {
        Files.createDirectories(folder.resolve("run"));
        Files.createDirectories(folder.resolve("temporary"));
        RewardListener listener = new RewardListener(
                new PendingRewards(InstantSource.system()), new FailureReports(), told::add, warned::add, () -> false);
        Spool spool = new Spool(folder.resolve("run").resolve("spool"), folder.resolve("temporary"), "run");
        return new AnswerRecorder(() -> Ledger.open(ledger), spool, listener, 0);
    }

    private static EvaluationId wanted(int index) {
        float[] actions = {index, 1};
        return EvaluationId.of(
                "a judge",
                "Hopper-v4",
                "run",
                new Episode(7, index, 2, actions, actions, actions, new double[3], Ending.TERMINATED));
    }

    private static Reply answer(int index) {
        return Reply.ofSteps(new double[] {index, 0.1}, 0.25 * (1 + index));
    }

    private static void renew(Ledger ledger) {
        try {
            ledger.renew(
                    IntStream.range(0, ANSWERS).mapToObj(i -> wanted(i).key()).toList());
        } catch (UserException e) {
            // the server is gone
        }
    }

    @Test
    void answersThatAServerWhichIsGoneDoesNotTakeAreRecordedWhenItIsBack() throws Exception {
        String url;
        List<UserException> refused = Collections.synchronizedList(new ArrayList<>());
        EmbeddedPostgres first = server();
        try {
            url = first.getJdbcUrl("postgres", "postgres");
            AnswerRecorder recorder = recorder(url);
            try (Ledger ledger = recorder.open()) {
                for (int i = 0; i < ANSWERS; i++) {
                    ledger.claim(wanted(i));
                    assertThat(ledger.attempted(wanted(i).key())).isTrue();
                }
                first.close();
                // waits for the server meanwhile, like the renewal of claims
                Thread renewing = Thread.ofPlatform().daemon().start(() -> renew(ledger));
                CountDownLatch begun = new CountDownLatch(ANSWERS);
                List<Thread> threads = IntStream.range(0, ANSWERS)
                        .mapToObj(i -> Thread.ofPlatform().daemon().start(() -> {
                            begun.countDown();
                            try {
                                recorder.record(ledger, wanted(i), answer(i));
                            } catch (UserException e) {
                                refused.add(e);
                            }
                        }))
                        .toList();
                begun.await();
                threads.forEach(Thread::interrupt); // the run is stopped at once
                for (Thread thread : threads) {
                    assertThat(thread.join(PATIENCE)).as("put aside in time").isTrue();
                }
                renewing.interrupt();
                renewing.join();
            }
        } finally {
            first.close();
        }
        assertThat(refused)
                .hasSize(ANSWERS)
                .allSatisfy(e -> assertThat(e.getMessage())
                        .contains(
                                "that the server is running",
                                "in files in " + folder.resolve("run").resolve("spool")));

        try (EmbeddedPostgres second = server()) {
            assertThat(second.getJdbcUrl("postgres", "postgres")).isEqualTo(url);
            List<LedgerEntry> entries = new ArrayList<>();
            Ledger.read(url, entries::add);
            assertThat(entries).extracting(LedgerEntry::state).containsOnly(State.RUNNING);
            try (Ledger ledger = recorder(url).open()) {
                entries.clear();
                ledger.read(entries::add);
            }
            assertThat(told).containsExactly("recorded 3 answers that could not be written to the ledger before");
            assertThat(warned).as("good news").noneMatch(warning -> warning.startsWith("recorded"));
            assertThat(entries).hasSize(ANSWERS).allSatisfy(entry -> {
                Reply expected = answer((int) entry.id().episode());
                assertThat(entry.state()).isEqualTo(State.DONE);
                assertThat(entry.cost()).isEqualTo(expected.cost().orElseThrow());
                assertThat(Objects.requireNonNull(entry.answered()).total()).isEqualTo(expected.total());
            });
        }
        assertThat(folder.resolve("run").resolve("spool")).doesNotExist();
    }
}
