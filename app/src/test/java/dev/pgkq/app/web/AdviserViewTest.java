package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.advise.Items;
import dev.pgkq.rewards.advise.Advice;
import dev.pgkq.rewards.advise.DurableAdviser;
import dev.pgkq.rewards.advise.DurableAdviser.Options;
import dev.pgkq.rewards.advise.Question;
import dev.pgkq.rewards.advise.Score;
import dev.pgkq.select.Pace;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the page of an adviser reads, without a browser. */
class AdviserViewTest {
    @TempDir
    private Path folder = Path.of("");

    private final HttpClient http = HttpClient.newHttpClient();

    private JsonNode get(AdviserServer server, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.address() + "api/advisers" + path))
                .build();
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return new JsonMapper().readTree(response.body());
    }

    /** The features are removed after the first view, so a second reading of them would fail. */
    @Test
    void aRoundIsDrawnOnceAndItsScoresAreShownLive() throws Exception {
        float[] features = {1, 2, 2, 1, 3, 5, 4, 0, 7, 2, 1, 1};
        try (DurableAdviser adviser =
                        DurableAdviser.open(folder, Options.defaults().withPace(new Pace.Fixed(2)));
                AdviserServer server = AdviserServer.start(AdviserServer.Settings.at(0), adviser, "test")) {
            Advice advice = adviser.ask(Question.of(Items.points(2, features)));
            String path = "/" + get(server, "").get(0).path("id").asString();
            JsonNode first = get(server, path + "/rounds/1");
            assertThat(first.path("map").path("x")).hasSize(6);
            assertThat(first.path("mean").isNull()).isTrue();
            String version = get(server, path).path("version").asString();
            try (Connection connection =
                            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(DurableAdviser.FILE));
                    Statement statement = connection.createStatement()) {
                assertThat(statement.executeUpdate("UPDATE pgkq_round_items SET features = x''"))
                        .isEqualTo(1);
            }

            adviser.tell(
                    1, Map.of(advice.ids().get(0), Score.of(3), advice.ids().get(1), Score.of(5)), false);

            assertThat(get(server, path).path("version").asString()).isNotEqualTo(version);
            JsonNode second = get(server, path + "/rounds/1");
            assertThat(second.path("map")).isEqualTo(first.path("map"));
            assertThat(second.path("ids")).isEqualTo(first.path("ids"));
            assertThat(second.path("paid").toString()).isEqualTo("[3.0,5.0]");
            assertThat(second.path("mean")).hasSize(6);
        }
    }
}
