package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.rewards.people.PeopleQueue;
import dev.pgkq.rewards.people.PeopleSettings;
import dev.pgkq.rewards.people.Question;
import dev.pgkq.rewards.people.Rating;
import dev.pgkq.rewards.people.RatingScale;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests that a browser on another site, a curious user or an attacker may send to a server with tokens. Most are the request
 * of a rater that would count, with one thing changed. Each has its status, tells nothing and changes nothing on disk.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class HostileRequestsTest {
    private static final String SECRET = "must not be served";
    private static final String PATH = "/api/runs/walk/rating/rate";
    private static final String BODY = "{\"key\": \"question0\", \"value\": 7}";

    @TempDir
    private static Path folder = Path.of("");

    private static Dashboard server;
    private static DashboardClient client;
    private static PeopleQueue queue;
    /** What placeholders such as {@code {csrf}} stand for. */
    private static final Map<String, String> VALUES = new LinkedHashMap<>();

    /** A request, in the order of its parts; {@code null} as the value of a header removes it. */
    private record Hostile(int status, String what, String line, Map<String, String> headers, String body) {
        @Override
        public String toString() {
            return what + ": " + status;
        }

        /** The text to send; a header whose name ends with a digit is sent without it, so that one can be sent twice. */
        String text() {
            StringBuilder text = new StringBuilder(line + " HTTP/1.1\r\n");
            headers.forEach((name, value) -> text.append(name.replaceFirst("\\d$", ""))
                    .append(": ")
                    .append(value)
                    .append("\r\n"));
            String filled = text.append("\r\n").toString();
            for (Map.Entry<String, String> value : VALUES.entrySet()) {
                filled = filled.replace("{" + value.getKey() + "}", value.getValue());
            }
            return filled + body;
        }
    }

    /** A rating that counts, with other headers: alternating names and values, "-" for none. */
    private static Hostile rating(int status, String what, String line, String body, String... changes) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Host", "localhost");
        headers.put("Connection", "close");
        headers.put("Origin", "http://localhost");
        headers.put("Cookie", "{rater}");
        headers.put("X-CSRF-Token", "{csrf}");
        headers.put("Content-Type", "application/json");
        headers.put("Content-Length", Integer.toString(body.getBytes(UTF_8).length));
        for (int i = 0; i < changes.length; i += 2) {
            if (changes[i + 1].equals("-")) {
                headers.remove(changes[i]);
            } else {
                headers.put(changes[i], changes[i + 1]);
            }
        }
        return new Hostile(status, what, line, headers, body);
    }

    private static Hostile post(int status, String what, String... changes) {
        return rating(status, what, "POST " + PATH, BODY, changes);
    }

    private static Hostile method(int status, String method, String... changes) {
        return rating(status, method + " " + Arrays.toString(changes), method + " " + PATH, BODY, changes);
    }

    private static Hostile content(int status, String what, String body, String... changes) {
        return rating(status, what, "POST " + PATH, body, changes);
    }

    private static Hostile get(int status, String path) {
        String what = "GET " + path.substring(0, Math.min(path.length(), 60));
        return rating(status, what, "GET " + path, "", "Content-Length", "-", "Content-Type", "-");
    }

    /** Without the CSRF token, in case the path leads to the route past the guards. */
    private static Hostile path(int status, String path) {
        return rating(status, "POST " + path, "POST " + path, BODY, "X-CSRF-Token", "-");
    }

    static List<Hostile> methods() {
        return List.of(
                method(405, "PUT"),
                method(405, "DELETE"),
                method(405, "PATCH"),
                method(405, "OPTIONS", "Access-Control-Request-Method", "POST"),
                method(405, "TRACE"),
                method(405, "QUERY"),
                method(405, "FOO"),
                method(405, "post"),
                method(405, "BEFORE"),
                method(404, "GET"),
                method(200, "HEAD"), // asks for nothing but headers, of which there are none
                method(405, "GET", "X-HTTP-Method-Override", "POST"),
                method(405, "GET", "X-HTTP-Method-Override", "POST", "X-CSRF-Token", "-", "Content-Type", "text/plain"),
                method(405, "GET", "x-http-method-override", "post"),
                method(405, "GET", "X-HTTP-Method-Override", "BEFORE"),
                method(405, "HEAD", "X-HTTP-Method-Override", "POST"),
                method(405, "POST", "X-HTTP-Method-Override", "GET"),
                method(403, "POST", "X-HTTP-Method-Override", "POST", "X-CSRF-Token", "-"),
                method(404, "GET", "X-HTTP-Method", "POST"),
                method(404, "GET", "X-Method-Override", "POST"),
                get(404, PATH + "?_method=POST"),
                path(405, "/rate.html"));
    }

    static List<Hostile> origins() {
        return List.of(
                post(403, "another origin", "Origin", "http://evil.example"),
                post(403, "no origin in a sandbox", "Origin", "null"),
                post(403, "an origin that starts like ours", "Origin", "http://localhost.evil.example"),
                post(403, "another port", "Origin", "http://localhost:1"),
                post(403, "another site", "Sec-Fetch-Site", "cross-site"),
                post(403, "another name of the site", "Sec-Fetch-Site", "same-site"),
                post(421, "another host", "Host", "evil.example"),
                post(421, "another host behind a proxy", "Host", "evil.example", "X-Forwarded-Host", "localhost"),
                post(400, "no host", "Host", "-"),
                post(400, "two hosts", "Host2", "evil.example"),
                rating(400, "an address with another host", "POST http://evil.example" + PATH, BODY));
    }

    static List<Hostile> paths() {
        return List.of(
                get(400, "/%u2216"),
                get(400, "/api/runs/walk%u2216/rating"),
                get(400, "/api/events?runs=%u2216"),
                get(400, "/%zz"),
                get(400, "/%"),
                get(400, "/%00"),
                get(404, "/..%2f..%2fsecret.txt"),
                get(400, "/%c0%ae%c0%ae/secret.txt"),
                get(400, "/../secret.txt"),
                get(404, "/api/runs/walk/people.db"),
                path(403, "/api/runs/walk/./rating/rate"),
                path(403, "/api/runs/walk/rating/rate;x=y"),
                path(405, "//api/runs/walk/rating/rate"),
                path(405, "/api%2fruns/walk/rating/rate"),
                path(405, "/API/runs/walk/rating/rate"),
                get(414, "/" + "x".repeat(40_000)));
    }

    static List<Hostile> contents() {
        String large =
                "{\"key\": \"question0\", \"value\": 7, \"x\": \"" + "x".repeat(AccessControl.MAX_BODY_BYTES) + "\"}";
        return List.of(
                content(413, "a large body", large),
                content(
                        413,
                        "a large body in chunks",
                        Integer.toHexString(large.length()) + "\r\n" + large + "\r\n0\r\n\r\n",
                        "Content-Length",
                        "-",
                        "Transfer-Encoding",
                        "chunked"),
                content(431, "a large header", BODY, "X-Large", "x".repeat(40_000)),
                content(400, "a negative length", BODY, "Content-Length", "-1"),
                content(400, "two lengths", BODY, "Content-Length2", "3"),
                content(400, "a length and chunks", BODY, "Transfer-Encoding", "chunked"),
                content(415, "text", BODY, "Content-Type", "text/plain"),
                content(415, "a form", BODY, "Content-Type", "application/x-www-form-urlencoded"),
                content(415, "a form with files", BODY, "Content-Type", "multipart/form-data; boundary=x"),
                content(415, "another kind of JSON", BODY, "Content-Type", "application/jsonp"),
                content(415, "no type", BODY, "Content-Type", "-"),
                content(400, "not JSON", "key=question0&value=7"),
                content(400, "nothing", ""),
                content(400, "a list", "[" + BODY + "]"),
                content(400, "deep JSON", "[".repeat(20_000)),
                content(400, "a value in quotes", BODY.replace("7", "\"7\"")),
                content(409, "a value off the scale", BODY.replace("7", "11")),
                content(409, "a value that is no number of the scale", BODY.replace("7", "1e999")),
                content(409, "an unknown question", BODY.replace("question0", "question' OR '1'='1")));
    }

    static List<Hostile> sessions() {
        return List.of(
                post(401, "no session", "Cookie", "-"),
                post(401, "a forged session", "Cookie", "{forged}"),
                post(401, "a session without a signature", "Cookie", "{unsigned}"),
                post(401, "a token as a session", "Cookie", "token={token}"),
                post(401, "a token in a header", "Cookie", "-", "Authorization", "Bearer {token}"),
                post(403, "no CSRF token", "X-CSRF-Token", "-"),
                post(403, "the CSRF token of another session", "X-CSRF-Token", "{viewer-csrf}"),
                post(403, "a viewer", "Cookie", "{viewer}", "X-CSRF-Token", "{viewer-csrf}"),
                post(409, "a rater without a name", "Cookie", "{nameless}", "X-CSRF-Token", "{nameless-csrf}"),
                rating(401, "a token in the address", "POST " + PATH + "?token={token}", BODY, "Cookie", "-"));
    }

    static List<Hostile> all() {
        return Stream.of(methods(), origins(), paths(), contents(), sessions())
                .flatMap(List::stream)
                .toList();
    }

    @BeforeAll
    static void start() throws Exception {
        Path root = folder.resolve("served");
        RatedRun.make(root.resolve("walk"), 1, 2);
        Files.writeString(folder.resolve("secret.txt"), SECRET);
        PeopleSettings settings = PeopleSettings.defaults(Rating.SCALE, RatingScale.parse("0 .. 10"));
        queue = PeopleQueue.open(root.resolve("walk"), settings, InstantSource.system());
        queue.post(List.of(new Question("question0", 1, 0), new Question("question1", 1, 1)), true);
        server = Dashboard.start(Dashboard.Settings.of(root).withPort(0).withTokenFile(folder.resolve("tokens")));
        client = new DashboardClient(server);
        Tokens tokens = server.tokens().orElseThrow();
        VALUES.put("token", tokens.rater());
        login("viewer", tokens.viewer());
        login("nameless", tokens.rater());
        login("rater", tokens.rater());
        HttpResponse<String> named = client.post(
                "/api/session", "{\"name\": \"Ann\"}", "Cookie", value("rater"), "X-CSRF-Token", value("rater-csrf"));
        VALUES.put("rater", DashboardClient.cookie(named));
        VALUES.put("csrf", DashboardClient.parse(named).path("csrf").asString());
        String session = value("viewer");
        VALUES.put("unsigned", session.substring(0, session.lastIndexOf('.') + 1));
        VALUES.put("forged", session.substring(0, session.length() - 4) + "AAAA");
    }

    private static String value(String name) {
        return VALUES.getOrDefault(name, "");
    }

    private static void login(String user, String token) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.post("/api/login", "{\"token\": \"" + token + "\"}");
        VALUES.put(user, DashboardClient.cookie(answer));
        VALUES.put(user + "-csrf", DashboardClient.parse(answer).path("csrf").asString());
    }

    @AfterAll
    static void stop() {
        server.close();
        queue.close();
    }

    /** All files with their contents, but not SQLite's index, which readers change. */
    private static Map<String, Integer> files() throws IOException {
        Map<String, Integer> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith("-shm"))
                    .toList()) {
                files.put(folder.relativize(file).toString(), Arrays.hashCode(Files.readAllBytes(file)));
            }
        }
        return files;
    }

    @ParameterizedTest
    @MethodSource("all")
    void isRefusedAndChangesNothing(Hostile hostile) throws IOException {
        Map<String, Integer> before = files();
        String answer = client.raw(hostile.text());
        assertThat(answer).startsWith("HTTP/1.1 " + hostile.status + " ");
        assertThat(answer)
                .doesNotContain(SECRET, folder.toString(), "Exception", "\tat ", "Jetty", "question1")
                .doesNotContain(value("token"));
        assertThat(files()).isEqualTo(before);
        assertThat(queue.status().rated()).isZero();
    }

    @Test
    void thereAreAtLeastFifty() {
        List<String> requests =
                new ArrayList<>(all().stream().map(Hostile::toString).collect(Collectors.toSet()));
        assertThat(requests).hasSizeGreaterThanOrEqualTo(50).hasSameSizeAs(all());
    }

    /** Otherwise the requests above might be refused for another reason than they should. */
    @Test
    void theSameRequestWithNothingChangedCounts() throws IOException {
        assertThat(client.raw(post(200, "a rating").text())).startsWith("HTTP/1.1 200 ");
        assertThat(queue.status().rated()).isEqualTo(1);
        queue.undo(RatedRun.ANN);
        assertThat(queue.status().rated()).isZero();
    }
}
