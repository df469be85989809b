package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.logged.NpyFile;
import dev.pgkq.app.web.AdviserClient.Answer;
import dev.pgkq.rewards.advise.DurableAdviser;
import dev.pgkq.rewards.advise.DurableAdviser.Options;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The description of the adviser's API says what the adviser does. */
class OpenApiTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String JSON_TYPE = "application/json";

    @TempDir
    private Path folder = Path.of("");

    private DurableAdviser adviser;
    private AdviserServer server;
    private AdviserClient client;
    private JsonNode api;
    private JsonSchema schemas;

    @BeforeEach
    void start() throws Exception {
        adviser = DurableAdviser.open(folder, Options.defaults().withMaxEvaluations(100));
        server = AdviserServer.start(AdviserServer.Settings.at(0), adviser, "pgkq 0.1.0");
        client = new AdviserClient(server.address());
        api = client.get("openapi.json").json();
        schemas = new JsonSchema(api);
    }

    @AfterEach
    void stop() {
        server.close();
        adviser.close();
    }

    @Test
    void itDescribesEveryRouteAndNoOther() {
        TreeSet<String> described = new TreeSet<>();
        api.path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(method ->
                                described.add(method.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey())));
        TreeSet<String> served = new TreeSet<>();
        new AdviserRoutes(adviser, "")
                .routes()
                .forEach(route -> served.add(route.method().name() + " " + AdviserRoutes.ROOT + route.path()));

        assertThat(described).isEqualTo(served);
        assertThat(api.path("openapi").asString()).isEqualTo("3.1.0");
    }

    @Test
    void itsExamplesFitItsSchemas() {
        int checked = 0;
        for (JsonNode media : api.findValues(JSON_TYPE)) {
            JsonNode schema = media.path("schema");
            for (Map.Entry<String, JsonNode> example : media.path("examples").properties()) {
                JsonNode value = example.getValue().path("value");
                assertThat(schemas.problems(schema, value)).as(value.toString()).isEmpty();
                checked++;
            }
            if (media.has("example")) {
                assertThat(schemas.problems(schema, media.path("example")))
                        .as(media.path("example").toString())
                        .isEmpty();
                checked++;
            }
        }
        assertThat(checked).isGreaterThan(12);
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        List<JsonNode> references = api.findValues("$ref");
        assertThat(references).hasSizeGreaterThan(50);
        references.forEach(reference -> schemas.referenced(reference.asString()));
    }

    /** A question with a matrix has in its address what one without has in its body. */
    @Test
    void parametersHaveTheTypesOfTheFieldsThatTheyStandFor() {
        JsonNode fields = schemas.referenced("#/components/schemas/Question").path("properties");
        JsonNode parameters = api.path("paths")
                .path(AdviserRoutes.ROOT + "/rounds")
                .path("post")
                .path("parameters");
        assertThat(parameters).hasSize(5);
        for (JsonNode parameter : parameters) {
            String name = parameter.path("name").asString();
            if (name.equals("lengths")) {
                assertThat(type(parameter.path("schema"))).isEqualTo(JSON.readTree("{\"type\":\"string\"}"));
            } else {
                assertThat(type(parameter.path("schema"))).as(name).isEqualTo(type(fields.path(name)));
            }
        }
    }

    /** A schema without words. */
    private JsonNode type(JsonNode schema) {
        JsonNode meant =
                schema.has("$ref") ? schemas.referenced(schema.path("$ref").asString()) : schema;
        ObjectNode type = (ObjectNode) meant.deepCopy();
        type.remove("description");
        assertThat(type).isNotEmpty();
        return type;
    }

    @Test
    void parametersThatAreIntegersAreReadAsSuch() throws Exception {
        byte[] matrix = NpyFile.ofColumns(new double[] {1, 2, 3});
        int checked = 0;
        for (Map.Entry<String, JsonNode> path : api.path("paths").properties()) {
            for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                for (JsonNode parameter : method.getValue().path("parameters")) {
                    String name = parameter.path("name").asString();
                    JsonNode type = type(parameter.path("schema"));
                    boolean inPath = parameter.path("in").asString().equals("path");
                    if (inPath || type.path("type").asString("").equals("integer")) {
                        assertThat(type.path("type").asString()).as(name).isEqualTo("integer");
                        String rest = path.getKey().substring(AdviserRoutes.ROOT.length() + 1);
                        String address = inPath ? rest.replace("{" + name + "}", "x") : rest + "?" + name + "=x";
                        Answer answer = method.getKey().equals("get")
                                ? client.get(address)
                                : rest.equals("rounds")
                                        ? client.postBytes(address, matrix, "application/x-npy")
                                        : client.post(address, bodyFor(rest));
                        assertThat(answer.status()).as(address).isEqualTo(400);
                        assertThat(answer.error()).as(address).contains(name, "number");
                        checked++;
                    }
                }
            }
        }
        assertThat(checked).isEqualTo(7);
        Answer answer = client.postBytes(
                "rounds?select=auto&judge=j&lengths=2,1&round=1&request=r", matrix, "application/x-npy");
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        assertThat(client.get("rounds?after=0").json().path("rounds")).hasSize(1);
    }

    /** A body that is right, whatever the round. */
    private static String bodyFor(String path) {
        return path.endsWith("scores")
                ? "{\"scores\":{}}"
                : path.endsWith("abandon") ? "{\"ids\":[]}" : "{\"judge\":\"critic\"}";
    }

    /** The schema of the answer that a route gives with a status. */
    private JsonNode schema(String method, String path, int status) {
        JsonNode response = api.path("paths")
                .path(AdviserRoutes.ROOT + path)
                .path(method)
                .path("responses")
                .path(Integer.toString(status));
        if (response.has("$ref")) {
            response = schemas.referenced(response.path("$ref").asString());
        }
        JsonNode schema = response.path("content").path(JSON_TYPE).path("schema");
        assertThat(schema.isMissingNode())
                .as(method + " " + path + " with status " + status + " is not described")
                .isFalse();
        return schema;
    }

    private JsonNode assertDescribed(String method, String path, int status, Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(schemas.problems(schema(method, path, status), answer.json()))
                .as(answer.text())
                .isEmpty();
        return answer.json();
    }

    private void assertQuestionFits(String schema, String body) {
        assertThat(schemas.problems(schemas.referenced("#/components/schemas/" + schema), JSON.readTree(body)))
                .as(body)
                .isEmpty();
    }

    @Test
    void whatTheAdviserAnswersFitsIt() throws Exception {
        String rounds = "/rounds";
        String scores = "/rounds/{round}/scores";
        String estimates = "/rounds/{round}/estimates";
        assertDescribed("get", "/status", 200, client.get("status"));
        String question = "{\"features\":" + AdviserServerTest.features(12, 2, 1) + ",\"select\":4}";
        assertQuestionFits("Question", question);
        JsonNode choice = assertDescribed("post", rounds, 201, client.post("rounds", question));
        assertDescribed("post", rounds, 200, client.post("rounds", question));
        assertDescribed("post", rounds, 400, client.post("rounds", "{}"));
        String ids = choice.path("ids").toString();
        String first = choice.path("ids").get(0).toString();
        String partial = "{\"scores\":{" + first + ":{\"score\":0.5,\"cost\":1}}}";
        assertQuestionFits("Told", partial);
        assertDescribed("post", scores, 200, client.post("rounds/1/scores", partial));
        assertDescribed("post", scores, 409, client.post("rounds/1/scores", "{\"scores\":{" + first + ":7}}"));
        assertDescribed("post", scores, 404, client.post("rounds/9/scores", "{\"scores\":{}}"));
        assertDescribed("get", estimates, 200, client.get("rounds/1/estimates"));
        String abandonment = "{\"ids\":[" + choice.path("ids").get(1) + "],\"replace\":true}";
        assertQuestionFits("Abandonment", abandonment);
        JsonNode replaced =
                assertDescribed("post", "/rounds/{round}/abandon", 200, client.post("rounds/1/abandon", abandonment));
        assertThat(replaced.path("ids").toString()).isNotEqualTo(ids);
        String rest = "{\"scores\":[" + (replaced.path("ids").get(0).toString().equals(first) ? "0.5" : "null")
                + ",null,2,3],\"estimates\":false}";
        assertDescribed("post", scores, 200, client.post("rounds/1/scores", rest));
        for (JsonNode missing : client.get("rounds/1").json().path("missing")) {
            client.post("rounds/1/scores", "{\"scores\":{" + missing + ":1.25}}");
        }
        assertDescribed("get", estimates, 200, client.get("rounds/1/estimates"));
        assertDescribed("get", "/rounds/{round}", 200, client.get("rounds/1"));
        String rescoring = "{\"judge\":\"critic\",\"select\":2,\"request\":\"once\"}";
        assertQuestionFits("Rescoring", rescoring);
        String rescore = "/rounds/{round}/rescore";
        assertDescribed("post", rescore, 201, client.post("rounds/1/rescore", rescoring));
        assertDescribed("post", rescore, 201, client.post("rounds/1/rescore", rescoring));
        String unnamed = "{\"judge\":\"critic\",\"select\":2}";
        assertDescribed("post", rescore, 200, client.post("rounds/1/rescore", unnamed));
        assertDescribed("get", rounds, 200, client.get("rounds"));
        assertDescribed("get", "/status", 200, client.get("status"));
    }

    @Test
    void theValidatorNoticesWhatDoesNotFit() {
        JsonNode choice = schemas.referenced("#/components/schemas/Choice");
        JsonNode estimates = schemas.referenced("#/components/schemas/Estimates");
        JsonNode score = schemas.referenced("#/components/schemas/Score");
        assertThat(schemas.problems(choice, JSON.readTree("{}"))).contains("$ has no \"round\"");
        assertThat(schemas.problems(estimates, JSON.readTree("{\"round\":0,\"complete\":1,\"missing\":[2],\"x\":3}")))
                .containsExactlyInAnyOrder(
                        "$.round is below 1",
                        "$.complete is no \"boolean\"",
                        "$.missing[0] is no \"string\"",
                        "$.x is unknown");
        assertThat(schemas.problems(score, JSON.readTree("\"1\""))).containsExactly("$ fits 0 of 3");
        assertThat(schemas.problems(JSON.readTree("{\"pattern\":\"a\"}"), JSON.readTree("\"b\"")))
                .containsExactly("unknown keyword pattern");
    }
}
