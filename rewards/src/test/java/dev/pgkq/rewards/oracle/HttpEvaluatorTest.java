package dev.pgkq.rewards.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.rewards.request.RequestJson;
import dev.pgkq.rewards.request.TestRequests;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class HttpEvaluatorTest extends EvaluatorContract {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CyclicBarrier barrier = new CyclicBarrier(TOGETHER);
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private String address() {
        return "http://localhost:" + server.getAddress().getPort() + "/score";
    }

    @Override
    Evaluator open(Behaviour behaviour) {
        server.createContext("/score", exchange -> {
            String request = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            int index = Integer.parseInt(request.replaceFirst(".*\"episode\":\"run-7/3/(\\d+)\".*", "$1"));
            answer(exchange, answer(behaviour, index));
        });
        return Evaluators.open(address(), settings());
    }

    private String answer(Behaviour behaviour, int index) {
        String steps = "{\"rewards\": " + Arrays.toString(TestRequests.rewards(index)) + "}";
        try {
            return switch (behaviour) {
                case STEPS -> steps;
                case WHOLE -> "{\"return\": " + index + "00.5}";
                case ONE_SHORT -> "{\"rewards\": [1, 2, 3]}";
                case ONE_MORE -> "{\"rewards\": [1, 2, 3, 4, 5]}";
                case NOT_A_NUMBER -> "{\"rewards\": [1, 2, NaN, 4]}";
                case INFINITE -> "{\"return\": -Infinity}";
                case NONSENSE -> "<html>welcome</html>";
                case HUGE -> "{\"return\": 1, \"note\": \"" + "x".repeat(LIMIT) + "\"}";
                case SILENT -> {
                    arrived.countDown();
                    new CountDownLatch(1).await();
                    yield "";
                }
                case TOGETHER -> {
                    barrier.await();
                    yield steps;
                }
            };
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    void awaitArrival() throws InterruptedException {
        assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
    }

    /** A received request. */
    private record Seen(String method, Map<String, String> headers, String body) {}

    private Seen seen(EvaluatorSettings settings, Request request) throws Exception {
        AtomicReference<Seen> seen = new AtomicReference<>();
        server.createContext("/score", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, String.join(", ", values)));
            seen.set(new Seen(exchange.getRequestMethod(), headers, body));
            answer(exchange, "{\"return\": 1}");
        });
        try (Evaluator evaluator = Evaluators.open(address(), settings)) {
            evaluator.evaluate(request);
        }
        return seen.get();
    }

    @Test
    void theRequestIsPostedWithItsKey() throws Exception {
        Request request = TestRequests.ask(4);
        Seen seen = seen(settings().withEnvironment(Map.of()), request);
        assertThat(seen.method()).isEqualTo("POST");
        assertThat(seen.body()).isEqualTo(new String(RequestJson.write("run-7", request), UTF_8));
        assertThat(seen.headers())
                .containsEntry("Content-Type", "application/json")
                .containsEntry("Idempotency-Key", "key-4")
                .doesNotContainKey("Authorization");
    }

    @Test
    void theTokenComesFromTheEnvironment() throws Exception {
        Map<String, String> environment = Map.of("PGKQ_REWARD_TOKEN", "first-token\n", "OTHER", "second-token");
        EvaluatorSettings settings = settings().withEnvironment(environment);
        assertThat(seen(settings, TestRequests.ask(1)).headers()).containsEntry("Authorization", "Bearer first-token");
        server.removeContext("/score");
        assertThat(seen(settings.withTokenVariable("OTHER"), TestRequests.ask(1))
                        .headers())
                .containsEntry("Authorization", "Bearer second-token");
    }
}
