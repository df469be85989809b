package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.text.UserException;
import io.javalin.Javalin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts to read and do what is not allowed. */
class AccessControlTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String SECRET = "must not be served";

    @TempDir
    private Path folder = Path.of("");

    private Path root = Path.of("");
    private Dashboard open;
    private DashboardClient client;

    @BeforeEach
    void start() throws Exception {
        root = folder.resolve("served");
        TestRuns.copyTo(root.resolve("one"));
        Files.writeString(folder.resolve("secret.txt"), SECRET);
        open = Dashboard.start(Dashboard.Settings.of(root).withPort(0));
        client = new DashboardClient(open);
    }

    @AfterEach
    void stop() {
        open.close();
    }

    private Dashboard.Settings withTokens() {
        return Dashboard.Settings.of(root).withPort(0).withTokenFile(folder.resolve("tokens"));
    }

    @Test
    void onLoopbackEveryClientIsARater() throws Exception {
        assertThat(open.tokens()).isEmpty();
        assertThat(open.address()).startsWith("http://127.0.0.1:");
        assertThat(client.json("/api/session").path("role").asString()).isEqualTo("rater");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8765",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "192.168.1.10",
                "[::2]:80",
                "localhost@evil.example",
                "localhost:80:evil",
                ""
            })
    void unknownHostNamesAreRejected(String host) throws Exception {
        String answer = client.raw("/api/runs", host);
        assertThat(answer).matches("(?s)HTTP/1.1 4(21|00) .*").doesNotContain("Pendulum");
        assertThat(client.raw("/", host)).doesNotStartWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:9000", "127.0.0.1:1", "[::1]:77", "localhost."})
    void ownHostNamesAreAcceptedWithAnyPort(String host) throws Exception {
        assertThat(client.raw("/api/runs", host)).startsWith("HTTP/1.1 200").contains("Pendulum");
    }

    @Test
    void otherAddressesAndHostNamesRequireTokens() throws Exception {
        try (Dashboard all = Dashboard.start(
                        Dashboard.Settings.of(root).withHost("0.0.0.0").withPort(0));
                Dashboard proxied = Dashboard.start(
                        Dashboard.Settings.of(root).withPort(0).withAllowedHosts(List.of("runs.example")))) {
            assertThat(all.tokens()).isPresent();
            assertThat(new DashboardClient(all).get("/api/runs").statusCode()).isEqualTo(401);
            assertThat(new DashboardClient(all).raw("/api/session", "192.168.1.10"))
                    .startsWith("HTTP/1.1 200");
            assertThat(new DashboardClient(all).raw("/api/session", "evil.example"))
                    .startsWith("HTTP/1.1 421");
            assertThat(proxied.tokens()).isPresent();
            assertThat(new DashboardClient(proxied).raw("/api/session", "runs.example"))
                    .startsWith("HTTP/1.1 200");
            assertThat(new DashboardClient(proxied).raw("/api/runs", "runs.example"))
                    .startsWith("HTTP/1.1 401");
        }
    }

    @Test
    void aTokenIsExchangedForACookieHiddenFromScriptsAndOtherSites() throws Exception {
        try (Dashboard guarded = Dashboard.start(withTokens())) {
            DashboardClient guest = new DashboardClient(guarded);
            Tokens tokens = guarded.tokens().orElseThrow();
            assertThat(guest.json("/api/session").path("role").asString()).isEqualTo("none");
            assertThat(guest.get("/api/runs").statusCode()).isEqualTo(401);
            assertThat(guest.get("/api/events").statusCode()).isEqualTo(401);
            assertThat(guest.get("/api/runs?token=" + tokens.viewer()).statusCode())
                    .isEqualTo(401);
            HttpResponse<String> login = guest.post("/api/login", "{\"token\": \"" + tokens.viewer() + "\"}");
            assertThat(login.statusCode()).isEqualTo(200);
            assertThat(login.headers().firstValue("Set-Cookie").orElseThrow())
                    .contains("HttpOnly", "SameSite=Strict", "Path=/")
                    .doesNotContain(tokens.viewer());
            String cookie = DashboardClient.cookie(login);
            assertThat(guest.json("/api/session", "Cookie", cookie).path("role").asString())
                    .isEqualTo("viewer");
            assertThat(guest.json("/api/runs", "Cookie", cookie).size()).isEqualTo(1);
            HttpResponse<String> proxied =
                    guest.post("/api/login", "{\"token\": \"" + tokens.rater() + "\"}", "X-Forwarded-Proto", "https");
            assertThat(proxied.headers().firstValue("Set-Cookie").orElseThrow()).contains("; Secure");
            assertThat(DashboardClient.parse(proxied).path("role").asString()).isEqualTo("rater");
        }
    }

    @Test
    void forgedCookiesAndCookiesOfOtherTokensAreRejected() throws Exception {
        String cookie;
        try (Dashboard guarded = Dashboard.start(withTokens())) {
            DashboardClient guest = new DashboardClient(guarded);
            cookie = DashboardClient.cookie(guest.post(
                    "/api/login",
                    "{\"token\": \"" + guarded.tokens().orElseThrow().viewer() + "\"}"));
            String name = cookie.substring(0, cookie.indexOf('=') + 1);
            String[] parts = cookie.substring(name.length()).split("\\.");
            String promoted = new String(Base64.getUrlDecoder().decode(parts[0]), "UTF-8").replace("VIEWER", "RATER");
            String forged = Base64.getUrlEncoder().withoutPadding().encodeToString(promoted.getBytes("UTF-8"));
            for (String wrong : List.of(forged + "." + parts[1], parts[0] + ".", parts[0], ".", "x.y", parts[1])) {
                assertThat(guest.get("/api/runs", "Cookie", name + wrong).statusCode())
                        .as(wrong)
                        .isEqualTo(401);
            }
        }
        int port;
        try (Dashboard again = Dashboard.start(withTokens())) {
            port = again.port();
            String renamed = "pgkq-" + port + cookie.substring(cookie.indexOf('='));
            assertThat(new DashboardClient(again)
                            .get("/api/runs", "Cookie", renamed)
                            .statusCode())
                    .as("sessions survive a restart with the same tokens")
                    .isEqualTo(200);
        }
        Files.delete(folder.resolve("tokens"));
        try (Dashboard other = Dashboard.start(withTokens())) {
            String renamed = "pgkq-" + other.port() + cookie.substring(cookie.indexOf('='));
            assertThat(new DashboardClient(other)
                            .get("/api/runs", "Cookie", renamed)
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void loginAttemptsAreLimited() throws Exception {
        try (Dashboard guarded = Dashboard.start(withTokens())) {
            DashboardClient guest = new DashboardClient(guarded);
            HttpResponse<String> last = guest.post("/api/login", "{\"token\": \"guess\"}");
            assertThat(last.statusCode()).isEqualTo(401);
            for (int i = 0; last.statusCode() == 401 && i < 10; i++) {
                last = guest.post("/api/login", "{\"token\": \"guess" + i + "\"}");
            }
            assertThat(last.statusCode()).isEqualTo(429);
            assertThat(Integer.parseInt(last.headers().firstValue("Retry-After").orElseThrow()))
                    .isBetween(1, 60);
        }
    }

    @Test
    void changesRequireTheSessionsCsrfToken() throws Exception {
        HttpResponse<String> session = client.get("/api/session");
        String cookie = DashboardClient.cookie(session);
        String csrf = DashboardClient.parse(session).path("csrf").asString();
        String body = "{\"name\": \"Ada\"}";
        HttpResponse<String> named = client.post("/api/session", body, "Cookie", cookie, "X-CSRF-Token", csrf);
        assertThat(named.statusCode()).isEqualTo(200);
        assertThat(DashboardClient.parse(named).path("name").asString()).isEqualTo("Ada");
        String other =
                DashboardClient.parse(client.get("/api/session")).path("csrf").asString();
        assertThat(client.post("/api/session", body, "Cookie", cookie).statusCode())
                .isEqualTo(403);
        assertThat(client.post("/api/session", body, "X-CSRF-Token", csrf).statusCode())
                .isEqualTo(403);
        assertThat(client.post("/api/session", body, "Cookie", cookie, "X-CSRF-Token", other)
                        .statusCode())
                .isEqualTo(403);
        assertThat(client.post(
                                "/api/session",
                                body,
                                "Cookie",
                                cookie,
                                "X-CSRF-Token",
                                csrf,
                                "Origin",
                                "http://evil.example")
                        .statusCode())
                .isEqualTo(403);
        assertThat(client.post(
                                "/api/session",
                                body,
                                "Cookie",
                                cookie,
                                "X-CSRF-Token",
                                csrf,
                                "Content-Type",
                                "text/plain")
                        .statusCode())
                .isEqualTo(415);
    }

    @Test
    void requestsFromOtherSitesAreRejected() throws Exception {
        assertThat(client.get("/api/runs", "Sec-Fetch-Site", "cross-site").statusCode())
                .isEqualTo(403);
        assertThat(client.get("/api/runs", "Sec-Fetch-Site", "same-site").statusCode())
                .isEqualTo(403);
        assertThat(client.get("/api/runs", "Sec-Fetch-Site", "same-origin").statusCode())
                .isEqualTo(200);
        assertThat(client.get("/api/runs").headers().map()).doesNotContainKey("access-control-allow-origin");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../secret.txt",
                "/../../secret.txt",
                "/%2e%2e/secret.txt",
                "/..%2fsecret.txt",
                "/..%5csecret.txt",
                "/js/../../secret.txt",
                "/js/..%2f..%2fsecret.txt",
                "/lib/../AccessControl.class",
                "/AccessControl.class",
                "/lib/%2e%2e/AccessControl.class",
                "//etc/passwd",
                "/file:/etc/passwd",
                "/META-INF/MANIFEST.MF",
                "/login.html%00.js",
                "/login.html;x=/../secret.txt",
                "/api/runs/..",
                "/api/runs/../../secret.txt",
                "/api/runs/..%2f..%2fsecret.txt/metrics",
                "/api/runs/%2e%2e/metrics",
                "/api/runs/%2fetc/metrics",
                "/api/runs/one%2f..%2fone/metrics",
                "/api/runs/one~..~one/metrics",
                "/api/runs/one/../one/metrics",
                "/api/runs/one%00/metrics",
                "/api/runs/./metrics",
                "/api/runs/one/iterations/..%2f..%2fconfig",
                "/api/runs/one/iterations/-1",
                "/api/runs/one/iterations/99999999999",
                "/api/runs/one/iterations/1/episodes/..%2f1",
                "/api/runs/one/config.yaml",
                "/one/config.yaml",
                "/config.yaml"
            })
    void noPathLeadsToAnUnservedFile(String path) throws Exception {
        String answer = client.raw(path, "localhost");
        assertThat(answer)
                .matches("(?s)HTTP/1.1 40[04] .*")
                .doesNotContain(SECRET)
                .doesNotContain("root:")
                .doesNotContain(folder.toString())
                .doesNotContain("java")
                .doesNotContain("Jetty")
                .contains("\"error\"", "Content-Security-Policy", "nosniff");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "symbolic links require a privilege on Windows")
    void linksOutOfTheFolderAreNotFollowed() throws Exception {
        Path outside = TestRuns.copyTo(folder.resolve("outside"));
        Files.createSymbolicLink(root.resolve("linked"), outside);
        Path one = root.resolve("one");
        for (String file : List.of("metrics.csv", "events.jsonl")) {
            Files.delete(one.resolve(file));
            Files.createSymbolicLink(one.resolve(file), folder.resolve("secret.txt"));
        }
        Files.writeString(folder.resolve("secret.txt"), "a\n" + SECRET + "\n");
        Files.createDirectories(one.resolve("trace/iterations"));
        Files.createSymbolicLink(one.resolve("trace/iterations/000001.json"), folder.resolve("secret.txt"));
        Files.createSymbolicLink(one.resolve("trace/figure.json"), folder.resolve("secret.txt"));
        Files.createSymbolicLink(one.resolve("trace/episodes"), folder);
        Path two = TestRuns.copyTo(root.resolve("two"));
        Files.createSymbolicLink(two.resolve("trace"), one.resolve("trace"));
        Files.delete(two.resolve("config.yaml"));
        Files.createSymbolicLink(two.resolve("config.yaml"), outside.resolve("config.yaml"));
        assertThat(client.get("/api/runs").body()).doesNotContain("linked").doesNotContain(SECRET);
        assertThat(client.get("/api/runs/linked").statusCode()).isEqualTo(404);
        for (String part : List.of("", "/metrics", "/trace", "/figure", "/iterations/1", "/iterations/1/episodes/0")) {
            assertThat(client.get("/api/runs/one" + part).body()).as(part).doesNotContain(SECRET);
        }
        assertThat(client.json("/api/runs/one/metrics").path("seq").asInt()).isZero();
        assertThat(client.get("/api/runs/one/iterations/1").statusCode()).isEqualTo(404);
        for (int i = 0; client.get("/api/runs/two").statusCode() != 200 && i < 100; i++) {
            Thread.sleep(100); // until the run is found
        }
        assertThat(client.json("/api/runs/two").path("config").isEmpty()).isTrue();
    }

    @Test
    void namesFromDiskAreJsonStrings() throws Exception {
        String name = "<img src=x onerror=alert(1)>\"'&";
        try (Dashboard other = Dashboard.start(
                Dashboard.Settings.of(TestRuns.copyTo(folder.resolve(name))).withPort(0))) {
            HttpResponse<String> answer = new DashboardClient(other).get("/api/runs");
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
            String id = DashboardClient.parse(answer).path(0).path("id").asString();
            assertThat(id).matches("[A-Za-z0-9._=~-]+");
            assertThat(DashboardClient.parse(answer).path(0).path("name").asString())
                    .isEqualTo(name);
            assertThat(new DashboardClient(other).get("/api/runs/" + id).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void passwordsInSettingsAreMasked() throws Exception {
        Files.writeString(
                root.resolve("one/config.yaml"),
                "reward: \"http://me:hush1@judge.example/score?code=hush2&x=hush4\"\n"
                        + "ledger: \"jdbc:postgresql://192.0.2.1/l?user=me&password=hush3\"\n",
                StandardOpenOption.TRUNCATE_EXISTING);
        assertThat(client.get("/api/runs/one").body())
                .containsPattern("judge.example/score\\?[0-9a-f]{12}\"")
                .doesNotContain("hush");
        assertThat(client.get("/api/runs").body())
                .contains("judge.example/score")
                .doesNotContain("hush");
    }

    @Test
    void absolutePathsInEventsAreRemoved() throws Exception {
        Files.writeString(
                root.resolve("one/events.jsonl"),
                "{\"event\": \"failed\", \"message\": \"cannot write " + root.toRealPath() + "/one/metrics.csv\"}\n",
                StandardOpenOption.APPEND);
        assertThat(client.get("/api/runs/one").body())
                .contains("cannot write one/metrics.csv")
                .doesNotContain(root.toRealPath().toString());
    }

    @Test
    void largeRequestsAreRejected() throws Exception {
        HttpResponse<String> session = client.get("/api/session");
        String large = "{\"name\": \"" + "x".repeat(AccessControl.MAX_BODY_BYTES) + "\"}";
        assertThat(client.post(
                                "/api/session",
                                large,
                                "Cookie",
                                DashboardClient.cookie(session),
                                "X-CSRF-Token",
                                DashboardClient.parse(session).path("csrf").asString())
                        .statusCode())
                .isEqualTo(413);
        StringBuilder chunks =
                new StringBuilder("POST /api/session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                        + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nX-CSRF-Token: "
                        + DashboardClient.parse(session).path("csrf").asString() + "\r\nCookie: "
                        + DashboardClient.cookie(session)
                        + "\r\n\r\n");
        for (int i = 0; i < 20; i++) {
            chunks.append("2000\r\n").append("x".repeat(0x2000)).append("\r\n");
        }
        assertThat(client.raw(chunks.append("0\r\n\r\n").toString())).startsWith("HTTP/1.1 413");
        assertThat(client.raw("/" + "x".repeat(100_000), "localhost")).matches("(?s)HTTP/1.1 4\\d\\d .*");
    }

    @Test
    void requestsBeyondTheRateLimitAreRejected() throws Exception {
        // with a clock that the test advances: on a slow machine the limit might otherwise never be reached
        AtomicLong seconds = new AtomicLong(1_000_000);
        AccessControl access = new AccessControl(
                new AllowedHosts("127.0.0.1", List.of()), Optional.empty(), () -> Instant.ofEpochSecond(seconds.get()));
        Javalin server = Javalin.create(config -> {
                    config.routes.before(access::check);
                    config.routes.get("/", request -> request.result("ok"));
                    config.routes.exception(
                            HttpError.class,
                            (e, request) -> request.status(e.status()).result("again in " + e.retrySeconds()));
                })
                .start("127.0.0.1", 0);
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/"))
                    .build();
            for (int burst : new int[] {1000, 100}) {
                for (int i = 0; i < burst; i++) {
                    assertThat(answer(request).statusCode()).isEqualTo(200);
                }
                assertThat(answer(request).statusCode()).isEqualTo(429);
                assertThat(answer(request).body()).isEqualTo("again in 1");
                seconds.incrementAndGet();
            }
        } finally {
            server.stop();
        }
    }

    private static HttpResponse<String> answer(HttpRequest request) throws Exception {
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "FOO"})
    void otherMethodsAreRejected(String method) throws Exception {
        assertThat(client.raw(method + " /api/runs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .matches("(?s)HTTP/1.1 (40[05]|501) .*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "post", "PUT", "HEAD", "FOO", ""})
    void noHeaderReplacesTheMethod(String method) throws Exception {
        String body = "{\"name\": \"Mallory\"}";
        String session = DashboardClient.cookie(client.get("/api/session"));
        String answer =
                client.raw("GET /api/session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: " + session
                        + "\r\nX-HTTP-Method-Override: " + method + "\r\nContent-Type: text/plain\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body);
        assertThat(answer).matches("(?s)HTTP/1.1 (405|200) .*").doesNotContain("Mallory");
    }

    @Test
    void postToAPageIsRejected() throws Exception {
        assertThat(client.post("/login.html", "{}").statusCode()).isEqualTo(405);
    }

    @Test
    void anErrorIsAPageForPeopleAndJsonForPrograms() throws Exception {
        String browser = "text/html,application/xhtml+xml,*/*;q=0.8";
        HttpResponse<String> page =
                client.get("/no/<such>/page".replace("<", "%3C").replace(">", "%3E"), "Accept", browser);
        assertThat(page.statusCode()).isEqualTo(404);
        assertThat(page.headers().firstValue("Content-Type")).contains("text/html;charset=utf-8");
        assertThat(page.body())
                .contains("<h1>Page not found</h1>", "href=\"/\"")
                .doesNotContain("such", "error\"");
        assertThat(client.get("/nothing").headers().firstValue("Content-Type")).contains("application/json");
        HttpResponse<String> api = client.get("/api/runs/none", "Accept", browser);
        assertThat(api.statusCode()).isEqualTo(404);
        assertThat(api.headers().firstValue("Content-Type")).contains("application/json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%u2216", "/api/runs/%u2216", "/api/events?runs=%u2216", "/%", "/%2", "/?q=%zz"})
    void malformedEscapesAreBadRequests(String path) throws Exception {
        assertThat(client.raw(path, "localhost")).startsWith("HTTP/1.1 400 ").contains("\"error\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/login.html", "/api/runs", "/api/runs/none", "/nothing"})
    void everyResponseHasSecurityHeaders(String path) throws Exception {
        HttpResponse<String> answer = client.get(path);
        String policy = answer.headers().firstValue("Content-Security-Policy").orElseThrow();
        assertThat(policy)
                .contains("default-src 'self'", "frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'")
                .doesNotContain("unsafe");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(answer.headers().firstValue("Referrer-Policy")).contains("no-referrer");
        assertThat(answer.headers().map()).doesNotContainKey("server");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has no POSIX permissions")
    void onlyTheOwnerCanReadTheTokenFile() throws Exception {
        Path file = folder.resolve("deep/tokens");
        Tokens made = Tokens.readOrCreate(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Tokens.readOrCreate(file)).isEqualTo(made);
        assertThat(made.viewer()).hasSizeGreaterThanOrEqualTo(32).isNotEqualTo(made.rater());
        assertThat(made.toString()).doesNotContain(made.viewer());
        assertThat(made.role(made.viewer())).isEqualTo(Role.VIEWER);
        assertThat(made.role(made.rater())).isEqualTo(Role.RATER);
        assertThat(made.role(made.rater() + "x")).isEqualTo(Role.NONE);
        assertThat(made.role("")).isEqualTo(Role.NONE);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> Tokens.readOrCreate(file))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("chmod 600");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(file, "viewer short\nrater short\n");
        assertThatThrownBy(() -> Tokens.readOrCreate(file))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("two lines");
    }
}
