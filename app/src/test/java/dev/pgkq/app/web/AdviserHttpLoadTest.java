package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.web.AdviserClient.Answer;
import dev.pgkq.rewards.advise.DurableAdviser;
import dev.pgkq.rewards.advise.DurableAdviser.Options;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.rewards.ledger.State;
import dev.pgkq.select.Pace;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Many clients of the service at once, some of whose requests fail: connections are cut before or after the service has the whole
 * request, requests are repeated, and scores arrive in any order, while others still ask. Whatever arrives, the budget is not exceeded
 * by a single evaluation, and each score is recorded once.
 */
@Timeout(900)
class AdviserHttpLoadTest {
    /** One in so many tells goes wrong. */
    private static final int TELLS_PER_FAULT = 20;

    private static final int EACH = 20;
    private static final int ITEMS = 26;
    /** Clients that ask. */
    private static final int ASKING = 4;

    @TempDir
    private Path folder = Path.of("");

    private int port;
    private final Map<String, Double> scores = new ConcurrentHashMap<>();
    private final Map<Fault, AtomicInteger> faults = new ConcurrentHashMap<>();
    private final AtomicLong mostSpent = new AtomicLong();
    /** Requests that were sent again because the connection was closed. */
    private final AtomicInteger repeated = new AtomicInteger();

    /** One score to tell. */
    private record Telling(int round, String id, double value) {
        String body() {
            return "{\"estimates\":false,\"scores\":{\"" + id + "\":" + value + "}}";
        }
    }

    /** What goes wrong before a score is told. */
    private enum Fault {
        /** The connection is cut in the middle of the body. */
        CUT_REQUEST,
        /** The connection is cut while the service works. */
        CUT_ANSWER,
        /** The score is told twice. */
        REPEATED,
        /** Another value is told for a score that is known. */
        CHANGED,
        /** A score is told for an item that was not asked for. */
        UNKNOWN
    }

    @Test
    void fourHundredTellsWithFaultsLoseNothingAndDoNotExceedTheBudget() throws Exception {
        tellAtOnce(400, 20);
    }

    @Test
    @Tag("slow")
    void tenThousandTellsWithFaultsLoseNothingAndDoNotExceedTheBudget() throws Exception {
        tellAtOnce(10_000, 400);
    }

    private void tellAtOnce(int budget, int clients) throws Exception {
        Options options = Options.defaults().withPace(new Pace.Fixed(EACH)).withMaxEvaluations(budget);
        long lessons;
        try (DurableAdviser adviser = DurableAdviser.open(folder, options);
                AdviserServer server = AdviserServer.start(AdviserServer.Settings.at(0), adviser, "test");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            port = server.port();
            // opens a connection for each request under way
            AdviserClient client = new AdviserClient(server.address());
            // empty for a client that may go
            BlockingQueue<Optional<Telling>> tellings = new LinkedBlockingQueue<>();
            // the first half is told while the second half is asked for
            int batches = 2 * budget / EACH;
            List<Telling> early = new ArrayList<>();
            ask(client, early, 1, batches / 4);
            Collections.shuffle(early, new Random(1));
            early.forEach(telling -> tellings.add(Optional.of(telling)));
            List<Future<?>> working = new ArrayList<>();
            AtomicInteger asking = new AtomicInteger(ASKING);
            for (int asker = 1; asker <= ASKING; asker++) {
                int from = batches / 4 + asker;
                working.add(threads.submit(() -> {
                    // a connection that is never idle
                    AdviserClient own = new AdviserClient(server.address());
                    try {
                        for (int batch = from; batch <= batches; batch += ASKING) {
                            List<Telling> mine = new ArrayList<>();
                            ask(own, mine, batch, batch);
                            Collections.shuffle(mine, new Random(batch));
                            mine.forEach(telling -> tellings.add(Optional.of(telling)));
                        }
                    } finally {
                        if (asking.decrementAndGet() == 0) {
                            tellings.addAll(Collections.nCopies(clients, Optional.empty()));
                        }
                    }
                    return null;
                }));
            }
            AtomicInteger told = new AtomicInteger();
            for (int teller = 0; teller < clients; teller++) {
                working.add(threads.submit(() -> {
                    for (Optional<Telling> next = tellings.take(); next.isPresent(); next = tellings.take()) {
                        tell(client, next.get(), told.getAndIncrement());
                    }
                    return null;
                }));
            }
            for (Future<?> each : working) {
                each.get();
            }
            assertThat(adviser.status().spent()).isEqualTo(budget);
            assertThat(adviser.status().open()).isEmpty();
            lessons = adviser.status().lessons();
        }
        assertThat(scores).hasSize(budget);
        assertThat(mostSpent.get()).isLessThanOrEqualTo(budget).isGreaterThan(budget / 4);
        int faulty = faults.values().stream().mapToInt(AtomicInteger::get).sum();
        System.out.printf(
                Locale.ROOT,
                "%d tells by %d clients, %d faults %s, %d sent again%n",
                budget,
                clients,
                faulty,
                faults,
                repeated.get());
        assertThat(faulty).isEqualTo(budget / TELLS_PER_FAULT);
        assertThat(faults).containsOnlyKeys(Fault.values());
        assertThat(lessons).as("one for each round").isEqualTo((budget + EACH - 1) / EACH);
        requireInLedger(budget);
        try (DurableAdviser again = DurableAdviser.open(folder, options)) {
            assertThat(again.status().spent()).isEqualTo(budget);
        }
    }

    /** Asks about batches until the budget is spent. */
    private void ask(AdviserClient client, Collection<Telling> into, int first, int last)
            throws IOException, InterruptedException {
        for (int batch = first; batch <= last; batch++) {
            Answer answer = client.post("rounds", question(batch));
            if (answer.status() == 402) {
                return;
            }
            assertThat(answer.status()).as(answer.text()).isEqualTo(201);
            JsonNode choice = answer.json();
            mostSpent.accumulateAndGet(choice.path("spent").asLong(), Math::max);
            mostSpent.accumulateAndGet(client.get("status").json().path("spent").asLong(), Math::max);
            Random random = new Random(batch);
            for (JsonNode id : choice.path("ids")) {
                double value = random.nextGaussian();
                assertThat(scores.put(id.asString(), value))
                        .as("handed out before")
                        .isNull();
                into.add(new Telling(choice.path("round").asInt(), id.asString(), value));
            }
        }
    }

    private static String question(int batch) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < ITEMS; i++) {
            ids.add("\"" + batch + "-" + i + "\"");
        }
        return "{\"features\":" + AdviserServerTest.features(ITEMS, 3, batch) + ",\"ids\":[" + String.join(",", ids)
                + "]}";
    }

    private void tell(AdviserClient client, Telling telling, int number) throws Exception {
        String path = "rounds/" + telling.round() + "/scores";
        if (number % TELLS_PER_FAULT == 0) {
            Fault fault = Fault.values()[number / TELLS_PER_FAULT % Fault.values().length];
            faults.computeIfAbsent(fault, any -> new AtomicInteger()).incrementAndGet();
            switch (fault) {
                case CUT_REQUEST ->
                    cut(
                            path,
                            telling.body(),
                            new Random(number).nextInt(telling.body().length()));
                case CUT_ANSWER -> cut(path, telling.body(), telling.body().length());
                case REPEATED ->
                    assertThat(post(client, path, telling.body()).status()).isEqualTo(200);
                case CHANGED -> {
                    assertThat(post(client, path, telling.body()).status()).isEqualTo(200);
                    Telling other = new Telling(telling.round(), telling.id(), telling.value() + 1);
                    assertThat(post(client, path, other.body()).status()).isEqualTo(409);
                }
                case UNKNOWN -> {
                    Telling other = new Telling(telling.round(), telling.id() + "?", telling.value());
                    assertThat(post(client, path, other.body()).status()).isEqualTo(400);
                }
            }
        }
        Answer answer = post(client, path, telling.body());
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    /** Beyond some number of connections the server closes the idle ones, perhaps when a request is on its way: it is sent again. */
    private Answer post(AdviserClient client, String path, String body) throws Exception {
        while (true) {
            try {
                return client.post(path, body);
            } catch (HttpTimeoutException e) {
                throw e;
            } catch (IOException e) {
                repeated.incrementAndGet();
            }
        }
    }

    /** Sends the head of a request and some bytes of its body, and leaves. */
    private void cut(String path, String body, int bytes) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            String head =
                    "POST /api/advise/" + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                            + "Content-Length: " + body.length() + "\r\n\r\n";
            socket.getOutputStream().write((head + body.substring(0, bytes)).getBytes(UTF_8));
            socket.getOutputStream().flush();
        }
    }

    private void requireInLedger(int budget) {
        Map<LedgerKey, Double> expected = new HashMap<>();
        scores.forEach((id, value) -> expected.put(LedgerKey.ofItem(Options.JUDGE, id), value));
        Map<LedgerKey, Double> found = new HashMap<>();
        int[] calls = {0};
        Ledger.read(folder.toString(), entry -> {
            LedgerEntry.Answered answered = entry.answered();
            calls[0] += entry.unanswered().calls() + (entry.state() == State.DONE ? 1 : 0);
            if (answered != null) {
                found.put(entry.id().key(), answered.total());
            }
        });
        assertThat(calls[0]).isEqualTo(budget);
        assertThat(found).isEqualTo(expected);
    }
}
