package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Idle and slow connections to real servers. A limit that does not work shows as a timeout of a read. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ConnectionLimitsTest {
    private static final Duration NEVER = Duration.ofHours(1);
    private static final String REQUEST = "GET /api/session HTTP/1.1\r\nHost: localhost\r\n\r\n";

    @TempDir
    private Path folder = Path.of("");

    private final List<AutoCloseable> open = new ArrayList<>();
    private final CountDownLatch finish = new CountDownLatch(1);

    @AfterEach
    void close() throws Exception {
        finish.countDown();
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private int serve(int max, int maxPerClient, Duration deadline) {
        Javalin server = Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.jetty.modifyServer(jetty -> ConnectionLimits.apply(jetty, max, maxPerClient, deadline));
                    config.routes.get("/api/session", request -> request.result("ok"));
                    config.routes.post("/api/session", request -> request.result(request.body()));
                    config.routes.get("/long", request -> {
                        request.res().getOutputStream().write('.');
                        request.res().flushBuffer();
                        finish.await();
                    });
                })
                .start("127.0.0.1", 0);
        open.add(server::stop);
        return server.port();
    }

    private Socket connect(int port) throws IOException {
        Socket socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(60_000);
        open.add(socket);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(UTF_8));
        socket.getOutputStream().flush();
    }

    /** Sends a request and reads the first line of the answer. */
    private static String answer(Socket socket, String request) throws IOException {
        send(socket, request);
        StringBuilder line = new StringBuilder();
        for (int c = socket.getInputStream().read();
                c >= 0 && c != '\r';
                c = socket.getInputStream().read()) {
            line.append((char) c);
        }
        return line.toString();
    }

    /** What the server sends until it closes the connection. */
    private static String rest(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }

    /** Whether the server closes the connection, perhaps after an answer. */
    private static boolean isClosed(Socket socket) {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    @Tag("slow")
    void aThousandIdleAndSlowConnectionsKeepNobodyOut() throws IOException {
        Dashboard dashboard = Dashboard.start(Dashboard.Settings.of(folder).withPort(0));
        open.add(dashboard);
        for (int i = 0; i < 1005; i++) {
            Socket socket = connect(dashboard.port());
            if (i % 2 == 0) {
                try {
                    send(socket, "GET /api/session HTTP/1.1\r\nHost: loc");
                } catch (IOException e) {
                    // closed already, as it should be
                }
            }
        }
        assertThat(answer(connect(dashboard.port()), REQUEST)).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void beyondTheLimitTheConnectionIdleForLongestIsClosed() throws IOException {
        int port = serve(100, 3, NEVER);
        Socket busy = connect(port);
        assertThat(answer(busy, "GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .isEqualTo("HTTP/1.1 200 OK");
        Socket second = connect(port);
        assertThat(answer(second, REQUEST)).isEqualTo("HTTP/1.1 200 OK");
        Socket third = connect(port);
        assertThat(answer(third, REQUEST)).isEqualTo("HTTP/1.1 200 OK");
        Socket fourth = connect(port);
        assertThat(answer(fourth, REQUEST)).isEqualTo("HTTP/1.1 200 OK");
        assertThat(isClosed(second)).isTrue();
        for (Socket kept : List.of(third, fourth)) {
            send(kept, REQUEST.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
            assertThat(rest(kept)).contains("HTTP/1.1 200 OK");
        }
    }

    @Test
    void theTotalIsLimitedToo() throws IOException {
        int port = serve(2, 100, NEVER);
        Socket first = connect(port);
        assertThat(answer(first, REQUEST)).isEqualTo("HTTP/1.1 200 OK");
        assertThat(answer(connect(port), REQUEST)).isEqualTo("HTTP/1.1 200 OK");
        assertThat(answer(connect(port), REQUEST)).isEqualTo("HTTP/1.1 200 OK");
        assertThat(isClosed(first)).isTrue();
    }

    @Test
    void headersAndBodiesHaveADeadline() throws IOException {
        int port = serve(100, 100, Duration.ofMillis(200));
        Socket silent = connect(port);
        Socket header = connect(port);
        send(header, "GET /api/session HTTP/1.1\r\nHost: loc");
        Socket body = connect(port);
        send(body, "POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n12");
        Socket later = connect(port);
        assertThat(answer(later, REQUEST)).isEqualTo("HTTP/1.1 200 OK");
        Socket stream = connect(port);
        assertThat(answer(stream, "GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .isEqualTo("HTTP/1.1 200 OK");
        assertThat(isClosed(silent)).isTrue();
        assertThat(isClosed(header)).isTrue();
        assertThat(isClosed(body)).isTrue();
        assertThat(isClosed(later)).isTrue();
        finish.countDown();
        assertThat(rest(stream)).as("an answer may take longer").endsWith("0\r\n\r\n");
    }
}
