package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.logged.NpyArray;
import dev.pgkq.app.logged.NpyFile;
import dev.pgkq.app.web.AdviserClient.Answer;
import dev.pgkq.rewards.advise.DurableAdviser;
import dev.pgkq.rewards.advise.DurableAdviser.Options;
import dev.pgkq.select.Pace;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class AdviserServerTest {
    @TempDir
    private Path folder = Path.of("");

    private DurableAdviser adviser;
    private AdviserServer server;
    private AdviserClient client;

    @BeforeEach
    void start() {
        adviser = DurableAdviser.open(
                folder.resolve("adviser"), Options.defaults().withPace(new Pace.Fixed(3)));
        start(AdviserServer.Settings.at(0));
    }

    private void start(AdviserServer.Settings settings) {
        server = AdviserServer.start(settings, adviser, "pgkq test");
        client = new AdviserClient(server.address());
    }

    @AfterEach
    void stop() {
        server.close();
        adviser.close();
    }

    /** Features of so many items as JSON. */
    static String features(int items, int width, int seed) {
        Random random = new Random(seed);
        StringJoiner rows = new StringJoiner(",", "[", "]");
        for (int i = 0; i < items; i++) {
            StringJoiner row = new StringJoiner(",", "[", "]");
            for (int j = 0; j < width; j++) {
                row.add(Float.toString((float) random.nextGaussian()));
            }
            rows.add(row.toString());
        }
        return rows.toString();
    }

    private JsonNode ask(String body) throws Exception {
        Answer answer = client.post("rounds", body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.json();
    }

    @Test
    void aRoundByNamesFromTheQuestionToTheEstimates() throws Exception {
        JsonNode choice = ask("{\"features\":" + features(5, 2, 1) + ",\"ids\":[\"a\",\"b\",\"c\",\"d\",\"e\"],"
                + "\"select\":2,\"owned\":{\"b\":0.25}}");
        assertThat(choice.path("indices")).hasSize(2);
        assertThat(choice.path("owned").path("b").asDouble()).isEqualTo(0.25);
        assertThat(choice.path("expected_error").isNull()).isTrue();
        assertThat(choice.path("spent").asInt()).isEqualTo(2);
        assertThat(choice.path("left").isNull()).isTrue();
        String first = choice.path("ids").get(0).asString();
        String second = choice.path("ids").get(1).asString();

        Answer partial = client.post("rounds/1/scores", "{\"scores\":{\"" + first + "\":1.5}}");
        assertThat(partial.status()).isEqualTo(200);
        assertThat(partial.json().path("complete").asBoolean()).isFalse();
        assertThat(partial.json().path("missing").get(0).asString()).isEqualTo(second);
        assertThat(partial.json().path("mean")).hasSize(5);
        Answer told =
                client.post("rounds/1/scores", "{\"scores\":{\"" + second + "\":{\"score\":[2],\"cost\":0.125}}}");
        assertThat(told.json().path("complete").asBoolean()).isTrue();
        assertThat(told.json().path("corrected")).hasSize(5);

        assertThat(client.get("rounds/1/estimates").text()).isEqualTo(told.text());
        assertThat(client.get("rounds").json().path("rounds")).hasSize(1);
        assertThat(client.get("rounds?after=1").json().path("rounds")).isEmpty();
        assertThat(client.get("rounds/1").json().path("open").asBoolean()).isFalse();
        JsonNode status = client.get("status").json();
        assertThat(status.path("width").asInt()).isEqualTo(2);
        assertThat(status.path("lessons").asInt()).isEqualTo(2);
        assertThat(status.path("version").asString()).isEqualTo("pgkq test");
    }

    @Test
    void scoresInOrderAndNoneWhereOneIsMissing() throws Exception {
        ask("{\"features\":" + features(6, 3, 1) + "}");

        assertThat(client.post("rounds/1/scores", "{\"scores\":[1,null,3],\"estimates\":false}")
                        .json()
                        .has("mean"))
                .isFalse();
        assertThat(client.post("rounds/1/scores", "{\"scores\":[null,2,null]}")
                        .json()
                        .path("complete")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void aMatrixOfNumPyIsTheSameQuestion() throws Exception {
        double[][] columns = {{0.5, -1, 2, 0.25}, {1, 0, -0.5, 3}};
        byte[] body = NpyFile.ofColumns(columns);

        Answer answer = client.postBytes("rounds?select=2&judge=j", body, "application/x-npy");

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.json().path("indices")).hasSize(2);
        Answer again =
                client.post("rounds", "{\"features\":[[0.5,1],[-1,0],[2,-0.5],[0.25,3]],\"select\":2,\"judge\":\"j\"}");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().path("resumed").asBoolean()).isTrue();
        assertThat(again.json().path("in_doubt")).isEqualTo(answer.json().path("ids"));

        HttpResponse<byte[]> estimates = client.getBytes("rounds/1/estimates", "Accept", "application/x-npy");
        NpyArray array =
                NpyArray.open("estimates", new ByteArrayInputStream(estimates.body()), estimates.body().length);
        assertThat(array.shape()).containsExactly(4, 3);
        JsonNode json = client.get("rounds/1/estimates").json();
        float[] values = array.floats();
        for (int item = 0; item < 4; item++) {
            assertThat(values[3 * item])
                    .isEqualTo((float) json.path("mean").get(item).asDouble());
            assertThat(values[3 * item + 2])
                    .isEqualTo((float) json.path("corrected").get(item).asDouble());
        }
    }

    @Test
    void itemsOfSeveralStepsAreListsOfRowsOrHaveLengths() throws Exception {
        byte[] body = NpyFile.ofColumns(new double[][] {{1, 2, 3, 4, 5}, {0, 1, 0, 1, 1}});
        Answer byLengths = client.postBytes("rounds?select=1&lengths=2,3", body, "application/x-npy");
        assertThat(byLengths.json().path("size").asInt()).isEqualTo(2);

        Answer lists = client.post("rounds", "{\"features\":[[[1,0],[2,1]],[[3,0],[4,1],[5,1]]],\"select\":1}");

        assertThat(lists.status()).isEqualTo(200);
        assertThat(lists.json().path("ids")).isEqualTo(byLengths.json().path("ids"));
    }

    @Test
    void projectionsAreTaken() throws Exception {
        JsonNode choice = ask("{\"features\":" + features(6, 3, 1) + ",\"projections\":" + features(6, 2, 2) + "}");
        assertThat(choice.path("indices")).hasSize(3);
    }

    @Test
    void itemsAreAbandonedAndScoredByASecondJudge() throws Exception {
        JsonNode choice = ask("{\"features\":" + features(6, 3, 1) + "}");
        String gone = choice.path("ids").get(0).asString();

        Answer without =
                client.post("rounds/1/abandon", "{\"ids\":[\"" + gone + "\"],\"free\":true,\"replace\":false}");
        assertThat(without.status()).as(without.text()).isEqualTo(200);
        assertThat(without.json().path("indices")).hasSize(2);
        assertThat(without.json().path("spent").asInt()).isEqualTo(2);
        client.post("rounds/1/scores", "{\"scores\":[1,2]}");

        Answer second = client.post("rounds/1/rescore", "{\"judge\":\"critic\",\"select\":1}");
        assertThat(second.status()).as(second.text()).isEqualTo(201);
        assertThat(second.json().path("source").asInt()).isEqualTo(1);
        assertThat(second.json().path("judge").asString()).isEqualTo("critic");
        assertThat(second.json().path("indices")).hasSize(1);
    }

    @Test
    void otherSitesAndUnknownHostsAreRejected() throws Exception {
        assertThat(client.get("status", "Sec-Fetch-Site", "cross-site").status())
                .isEqualTo(403);
        assertThat(client.post("rounds", "{}", "Origin", "http://evil.example").status())
                .isEqualTo(403);
        assertThat(client.post("rounds", "{}", "Content-Type", "text/plain").status())
                .isEqualTo(415);
        assertThat(client.post("rounds/1/scores", "{}", "Content-Type", "application/x-npy")
                        .status())
                .isEqualTo(415);
        try (var socket = new java.net.Socket("127.0.0.1", server.port())) {
            socket.getOutputStream()
                    .write("GET /api/advise/status HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                            .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 421");
        }
    }

    @Test
    void whereATokenIsRequiredTheViewersReadsAndTheRatersAsks() throws Exception {
        server.close();
        Path tokens = folder.resolve("tokens");
        start(new AdviserServer.Settings("127.0.0.1", 0, List.of(), Optional.of(tokens)));
        String viewer = "Bearer " + server.tokens().orElseThrow().viewer();
        String rater = "Bearer " + server.tokens().orElseThrow().rater();
        String question = "{\"features\":" + features(4, 2, 1) + "}";

        assertThat(client.get("status").status()).isEqualTo(401);
        assertThat(client.get("status", "Authorization", "Bearer guess").status())
                .isEqualTo(401);
        assertThat(client.get("status", "Authorization", viewer).status()).isEqualTo(200);
        assertThat(client.post("rounds", question, "Authorization", viewer).status())
                .isEqualTo(403);
        assertThat(client.post("rounds", question, "Authorization", rater).status())
                .isEqualTo(201);
        assertThat(IntStream.range(0, 8).map(_ -> guess()).toArray()).contains(429);
        assertThat(client.get("status", "Authorization", rater).status()).isEqualTo(200);
        assertThat(Files.readString(tokens))
                .contains(server.tokens().orElseThrow().rater());
    }

    /** A session is for looking: a page of another site could use it without knowing a token. */
    @Test
    void whoLoggedInWithABrowserOnlyReadsThePagesData() throws Exception {
        server.close();
        start(new AdviserServer.Settings("127.0.0.1", 0, List.of(), Optional.of(folder.resolve("tokens"))));
        Tokens tokens = server.tokens().orElseThrow();
        try (HttpClient http = HttpClient.newHttpClient()) {
            assertThat(send(http, "GET", "", "").statusCode())
                    .as("the page itself")
                    .isEqualTo(200);
            assertThat(send(http, "GET", "api/advisers", "").statusCode()).isEqualTo(401);
            HttpResponse<String> login = send(http, "POST", "api/login", "{\"token\":\"" + tokens.rater() + "\"}");
            assertThat(login.statusCode()).isEqualTo(200);
            String cookie =
                    login.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];

            assertThat(send(http, "GET", "api/advisers", "", "Cookie", cookie).body())
                    .contains("\"name\":\"adviser\"");
            assertThat(send(http, "GET", "api/advise/status", "", "Cookie", cookie)
                            .statusCode())
                    .isEqualTo(401);
            assertThat(send(http, "POST", "api/advise/rounds", "{}", "Cookie", cookie)
                            .statusCode())
                    .isEqualTo(401);
            assertThat(send(http, "GET", "api/advisers/x/rounds/1", "", "Cookie", cookie)
                            .statusCode())
                    .isEqualTo(404);
            assertThat(send(http, "GET", "api/advisers", "", "Cookie", cookie, "Sec-Fetch-Site", "cross-site")
                            .statusCode())
                    .isEqualTo(403);
        }
    }

    /** Reading a body whose length is not known could take all memory. */
    @Test
    void aLoginOfUnknownLengthIsRefused() throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest chunked = HttpRequest.newBuilder(URI.create(server.address() + "api/login"))
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream("{}".getBytes(UTF_8))))
                    .build();
            assertThat(http.send(chunked, BodyHandlers.ofString()).statusCode()).isEqualTo(411);
        }
    }

    private HttpResponse<String> send(HttpClient http, String method, String path, String body, String... headers)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.address() + path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        return http.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    private int guess() {
        try {
            return client.get("status", "Authorization", "Bearer guess").status();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anotherAddressSaysWhereTheApiIsDescribed() throws Exception {
        Answer answer = client.get("nothing");
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.error()).contains("/api/advise/openapi.json");
    }
}
