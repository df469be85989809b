package dev.pgkq.rewards.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.pgkq.rewards.request.TestRequests;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults of services, simulated by a server that writes raw bytes. */
@Timeout(120)
class HttpFaultsTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final String TOKEN = "t0p-s3cret";

    @TempDir
    Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    /** Answers one connection, after the whole request has been read. */
    private interface Conversation {
        void answer(Socket socket, OutputStream out) throws IOException, InterruptedException;
    }

    private int serve(Conversation conversation) throws IOException {
        return serve(conversation, new AtomicInteger());
    }

    private int serve(Conversation conversation, AtomicInteger connections) throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        open.add(server);
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try (Socket socket = server.accept()) {
                    connections.incrementAndGet();
                    readRequest(socket.getInputStream());
                    conversation.answer(socket, socket.getOutputStream());
                } catch (IOException | InterruptedException e) {
                    // The client has disconnected, or the test is over.
                }
            }
        });
        return server.getLocalPort();
    }

    private static void readRequest(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int c = in.read();
            if (c < 0) {
                throw new IOException("no request");
            }
            head.append((char) c);
        }
        in.readNBytes(Integer.parseInt(head.toString().replaceFirst("(?is).*content-length: (\\d+).*", "$1")));
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(UTF_8));
        out.flush();
    }

    private static String response(String status, String headers, String body) {
        return "HTTP/1.1 " + status + "\r\n" + headers + "Content-Length: " + body.getBytes(UTF_8).length + "\r\n\r\n"
                + body;
    }

    private EvaluationException failure(int port) {
        return failure("http://localhost:" + port + "/score", Background.LONG);
    }

    private EvaluationException failure(String address, Duration timeout) {
        EvaluatorSettings settings = EvaluatorSettings.defaults("run", folder)
                .withLimits(new EvaluatorSettings.Limits(timeout, Background.LONG, 1 << 20))
                .withEnvironment(Map.of("PGKQ_REWARD_TOKEN", TOKEN));
        try (Evaluator evaluator = new HttpEvaluator(address, settings, Clock.fixed(NOW, ZoneOffset.UTC))) {
            EvaluationException failure =
                    catchThrowableOfType(EvaluationException.class, () -> evaluator.evaluate(TestRequests.ask(1)));
            assertThat(failure).isNotNull().hasMessageStartingWith(evaluator.identity() + " ");
            assertThat(failure.getMessage()).doesNotContain(TOKEN);
            return failure;
        }
    }

    @Test
    void nobodyListens() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        EvaluationException failure = failure(port);
        assertThat(failure).hasMessageContaining("connection refused");
        assertThat(failure.retryable()).isTrue();
    }

    @Test
    void nobodyKnowsTheHost() {
        EvaluationException failure = failure("http://no-such-host.invalid/score", Background.LONG);
        assertThat(failure).hasMessageContaining("unknown host no-such-host.invalid");
        assertThat(failure.retryable()).isTrue();
    }

    @Test
    void theConnectionIsResetInTheMiddle() throws IOException {
        EvaluationException failure = failure(serve((socket, out) -> {
            write(out, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"return\": 1");
            socket.setSoLinger(true, 0); // closing sends a reset
        }));
        assertThat(failure).hasMessageContaining("broke the connection");
        assertThat(failure.retryable()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 200 OK\r\nContent-Len"})
    void whatIsNotHttpBreaksOff(String text) throws IOException {
        EvaluationException failure = failure(serve((socket, out) -> write(out, text)));
        assertThat(failure).hasMessageContaining("broke the connection");
        assertThat(failure.retryable()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    429 Too Many Requests   | 7                             | 7
                    503 Service Unavailable | 120                           | 120
                    429 Too Many Requests   | Sun, 01 Mar 2026 12:01:30 GMT | 90
                    503 Service Unavailable | Sun, 01 Mar 2026 11:59:00 GMT | 0
                    500 Internal Error      | 3                             | 3
                    """)
    void aServiceMayTellWhenToComeBack(String status, String value, long seconds) throws IOException {
        EvaluationException failure =
                failure(serve((socket, out) -> write(out, response(status, "Retry-After: " + value + "\r\n", "busy"))));
        assertThat(failure).hasMessageContaining("status " + status.substring(0, 3) + ": busy");
        assertThat(failure.retryable()).isTrue();
        assertThat(failure.retryAfter()).contains(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "-5", "1e9", "99999999999999999999", "Sun, 31 Feb 2026 12:01:30 GMT"})
    void aTimeThatCannotBeReadIsAsGoodAsNone(String value) throws IOException {
        EvaluationException failure =
                failure(serve((socket, out) -> write(out, response("429 x", "Retry-After: " + value + "\r\n", ""))));
        assertThat(failure.retryable()).isTrue();
        assertThat(failure.retryAfter()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "500, true",
        "502, true",
        "503, true",
        "504, true",
        "408, true",
        "429, true",
        "400, false",
        "401, false",
        "404, false",
        "409, false",
        "413, false",
        "422, false"
    })
    void statusesOfTheServiceMayPassAndThoseOfTheRequestDoNot(int status, boolean retryable) throws IOException {
        EvaluationException failure = failure(
                serve((socket, out) -> write(out, response(status + " x", "", "because\n\033[2J of " + TOKEN))));
        assertThat(failure).hasMessageContaining("status " + status + ": because [2J of •••");
        assertThat(failure.retryable()).isEqualTo(retryable);
    }

    /** A service may repeat its address, in whatever spelling, in a refusal, in an answer or in a redirect. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "no route to /T0k3nInAPathOfTheService/score?code=pa%2Fss%22wd&n=1&user=me",
                "code pa/ss\"wd is wrong",
                "{\"code\": \"pa\\/ss\\\"wd\"}",
                "code=pa%2Fss%22wd",
                "T0k3nInAPathOfTheService is unknown",
            })
    void theSecretsOfAnAddressAreNotShown(String said) throws IOException {
        String far = "x".repeat(150) + said; // a quotation may end within a secret
        for (String response : List.of(
                response("404 x", "", said),
                response("500 x", "", far),
                response("302 x", "Location: " + said + "\r\n", ""),
                response("200 x", "", said),
                response("200 x", "", far))) {
            int port = serve((socket, out) -> write(out, response));
            EvaluationException failure = failure(
                    "http://localhost:" + port + "/T0k3nInAPathOfTheService/score?code=pa%2Fss%22wd&n=1",
                    Background.LONG);
            assertThat(failure.getMessage()).doesNotContain("pa/", "pa%2F", "pa\\/", "wd", "T0k3n");
        }
    }

    @Test
    void aMissingTokenIsHintedAt() throws IOException {
        assertThat(failure(serve((socket, out) -> write(out, response("401 x", "", "")))))
                .hasMessageContaining("PGKQ_REWARD_TOKEN, which is set");
    }

    /** An occasional byte keeps a connection alive forever, but not an evaluation. */
    @Test
    void aSlowDripIsGivenUpAtTheDeadline() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        int port = serve((socket, out) -> {
            try {
                write(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                while (true) {
                    write(out, "1\r\n \r\n");
                    Thread.sleep(10);
                }
            } finally {
                gone.countDown();
            }
        });
        EvaluationException failure = failure("http://localhost:" + port + "/", Duration.ofSeconds(1));
        assertThat(failure).hasMessageContaining("did not answer within 1.0s");
        assertThat(failure.retryable()).isTrue();
        assertThat(gone.await(60, TimeUnit.SECONDS))
                .as("the connection is given up")
                .isTrue();
    }

    @Test
    void headersThatNeverComeAreGivenUpAtTheDeadline() throws Exception {
        int port = serve((socket, out) -> new CountDownLatch(1).await());
        assertThat(failure("http://localhost:" + port + "/", Duration.ofSeconds(1)))
                .hasMessageContaining("did not answer within 1.0s");
    }

    /** With or without a stated length, and with any status: reading stops, and the server notices. */
    @ParameterizedTest
    @CsvSource({"200, true", "200, false", "500, true"})
    void aBodyWithoutEndIsGivenUpAtTheLimit(int status, boolean told) throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        byte[] block = " ".repeat(1 << 16).getBytes(UTF_8);
        int port = serve((socket, out) -> {
            try {
                write(out, "HTTP/1.1 " + status + " x\r\n" + (told ? "Content-Length: 99999999999\r\n\r\n" : "\r\n"));
                while (true) {
                    out.write(block);
                }
            } finally {
                gone.countDown();
            }
        });
        EvaluationException failure = failure(port);
        assertThat(failure)
                .hasMessageContaining(
                        status == 200 ? "the answer is longer than 1048576 bytes" : "answered with status 500");
        assertThat(failure.retryable()).isTrue();
        assertThat(gone.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void tenMegabytesAreReadWhereTheLimitAllowsIt() throws Exception {
        String body = " ".repeat(10 << 20) + "{\"return\": 7}";
        int port = serve((socket, out) -> write(out, response("200 OK", "", body)));
        EvaluatorSettings usual = EvaluatorSettings.defaults("run", folder);
        try (Evaluator evaluator = Evaluators.open("http://localhost:" + port + "/", usual)) {
            assertThat(evaluator.evaluate(TestRequests.ask(1)).total()).isEqualTo(7);
        }
        assertThat(failure(port)).hasMessageContaining("the answer is longer than 1048576 bytes");
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void redirectsAreToldAndNotFollowed(int status) throws IOException {
        AtomicInteger visits = new AtomicInteger();
        int elsewhere = serve((socket, out) -> write(out, response("200 OK", "", "{\"return\": 1}")), visits);
        String location = "http://127.0.0.1:" + elsewhere + "/stolen";
        EvaluationException failure = failure(
                serve((socket, out) -> write(out, response(status + " x", "Location: " + location + "\r\n", ""))));
        assertThat(failure).hasMessageContaining("a redirect to " + location);
        assertThat(failure.retryable()).isFalse();
        assertThat(visits).hasValue(0);
    }

    @Test
    void aCertificateThatNobodyVouchesForIsRefused() throws Exception {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(selfSigned()));
        AtomicInteger requests = new AtomicInteger();
        server.createContext("/", exchange -> requests.incrementAndGet());
        server.start();
        open.add(() -> server.stop(0));

        EvaluationException failure =
                failure("https://localhost:" + server.getAddress().getPort() + "/", Background.LONG);

        assertThat(failure)
                .hasMessageContaining("certificate that is not trusted")
                .hasMessageContaining("trustStore");
        assertThat(failure.retryable()).isFalse();
        assertThat(requests).hasValue(0);
    }

    private SSLContext selfSigned() throws Exception {
        Path store = folder.resolve("store.p12");
        char[] password = "changeit".toCharArray();
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        "changeit")
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, password);
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    @Test
    void plainHttpWhereTlsIsSpokenIsAFailureThatMayPass() throws IOException {
        int port = serve((socket, out) -> write(out, response("200 OK", "", "{\"return\": 1}")));
        EvaluationException failure = failure("https://localhost:" + port + "/", Duration.ofSeconds(1));
        assertThat(failure.retryable()).isTrue();
    }
}
