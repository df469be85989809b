package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.logged.NpyFile;
import dev.pgkq.app.web.AdviserClient.Answer;
import dev.pgkq.rewards.advise.DurableAdviser;
import dev.pgkq.rewards.advise.DurableAdviser.Options;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What makes no sense is refused with one sentence, and nothing has changed. */
class AdviserBadInputTest {
    @TempDir
    private static Path folder = Path.of("");

    private static DurableAdviser adviser;
    private static AdviserServer server;
    private static AdviserClient client;
    private static String before = "";
    private static String estimates = "";

    /** Round 1 is closed, with c abandoned; round 2 is open and asks for e and f. */
    @BeforeAll
    static void start() throws Exception {
        adviser = DurableAdviser.open(folder, Options.defaults().withMaxEvaluations(5));
        server = AdviserServer.start(AdviserServer.Settings.at(0), adviser, "test");
        client = new AdviserClient(server.address());
        client.post("rounds", "{\"features\":[[1,2],[2,1],[3,3]],\"ids\":[\"a\",\"b\",\"c\"],\"select\":3}");
        client.post("rounds/1/abandon", "{\"ids\":[\"c\"]}");
        client.post("rounds/1/scores", "{\"scores\":{\"a\":1,\"b\":2}}");
        client.post("rounds", "{\"features\":[[1,5],[2,6]],\"ids\":[\"e\",\"f\"],\"select\":2}");
        assertThat(adviser.status().spent()).isEqualTo(5);
        before = state();
        estimates = client.get("rounds/2/estimates").text();
    }

    @AfterAll
    static void stop() throws Exception {
        assertThat(client.get("rounds/2/estimates").text()).isEqualTo(estimates);
        server.close();
        adviser.close();
    }

    private static String state() throws Exception {
        return client.get("status").text()
                + client.get("rounds").text()
                + client.get("rounds/1").text()
                + client.get("rounds/2").text();
    }

    private static void assertRefused(Answer answer, int status, String message) throws Exception {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.error()).contains(message).doesNotContain("\n").doesNotContain("Exception");
        assertThat(state()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "rounds | {} | 400 | \"features\" are missing",
                "rounds | [] | 400 | must be a JSON object",
                "rounds | {\"features\":[[1,2]] | 400 | cannot be read as JSON",
                "rounds | {\"features\":[[1,2]]}} | 400 | cannot be read as JSON",
                "rounds | {\"features\":[[1,2]]} 1 | 400 | something follows",
                "rounds | {\"features\":[[1,2]],\"features\":[[1,2]]} | 400 | cannot be read as JSON",
                "rounds | {\"features\":[[1,NaN]]} | 400 | must be finite, but number 1 of item 0 is NaN",
                "rounds | {\"features\":[[1,1e300]]} | 400 | must be finite",
                "rounds | {\"features\":[[1,null]]} | 400 | must have numbers only in item 0",
                "rounds | {\"features\":[[1,\"2\"]]} | 400 | must have numbers only in item 0",
                "rounds | {\"features\":[1,2]} | 400 | must be a list of rows",
                "rounds | {\"features\":{}} | 400 | must be a list of rows",
                "rounds | {\"features\":[]} | 400 | there are no items",
                "rounds | {\"features\":[[]]} | 400 | features",
                "rounds | {\"features\":[[1,2],[3]]} | 400 | rows of one length",
                "rounds | {\"features\":[[1,2],[[3,4]]]} | 400 | mixes items",
                "rounds | {\"features\":[[[[1,2]]]]} | 400 | numbers only",
                "rounds | {\"features\":[[1,2,3]]} | 400 | have 3 features, but those of earlier rounds had 2",
                "rounds | {\"features\":[[1,2]],\"ids\":[\"x\",\"y\"]} | 400 | 2 ids for 1 items",
                "rounds | {\"features\":[[1,2],[2,3]],\"ids\":[\"x\",\"x\"]} | 400 | used for two items",
                "rounds | {\"features\":[[1,2]],\"ids\":[\"\"]} | 400 | 1 to 500 characters",
                "rounds | {\"features\":[[1,2]],\"ids\":[7]} | 400 | must be a list of texts",
                "rounds | {\"features\":[[1,2]],\"select\":-1} | 400 | \"select\" must be",
                "rounds | {\"features\":[[1,2]],\"select\":1.5} | 400 | \"select\" must be",
                "rounds | {\"features\":[[1,2]],\"select\":\"all\"} | 400 | \"select\" must be",
                "rounds | {\"features\":[[1,2]],\"select\":99999999999} | 400 | \"select\" must be",
                "rounds | {\"features\":[[1,2]],\"judge\":\" \"} | 400 | the name of a judge",
                "rounds | {\"features\":[[1,2]],\"judge\":3} | 400 | must be a text",
                "rounds | {\"features\":[[1,2]],\"round\":0} | 400 | must be the number of a round, from 1",
                "rounds | {\"features\":[[1,2]],\"round\":\"3\"} | 400 | must be the number of a round",
                "rounds | {\"features\":[[1,2]],\"round\":1} | 409 | round 1 was about other items",
                "rounds | {\"features\":[[1,2]],\"round\":9} | 400 | the next round is 3, not 9",
                "rounds | {\"features\":[[1,2]],\"projections\":[[1],[2]]} | 400 | \"projections\" must have a row for each",
                "rounds | {\"features\":[[1,2]],\"owned\":{\"x\":1}} | 400 | belongs to no item",
                "rounds | {\"features\":[[1,2]],\"ids\":[\"x\"],\"owned\":{\"x\":\"1\"}} | 400 | must be a number",
                "rounds | {\"features\":[[1,2]],\"ids\":[\"x\"],\"owned\":{\"x\":NaN}} | 400 | must be finite",
                "rounds | {\"features\":[[1,2]],\"ids\":[\"a\"],\"owned\":{\"a\":7}} | 409 | is recorded as [1.0]",
                "rounds | {\"feature\":[[1,2]]} | 400 | unknown field 'feature'",
                "rounds | {\"features\":[[7,7]]} | 402 | the budget is spent: 5 of 5",
                "rounds | {\"features\":[[1,5],[2,6]],\"ids\":[\"e\",\"f\"]} | 402 | round 2 misses 2",
                "rounds/1/scores | {\"scores\":{\"a\":3}} | 409 | the first one counts",
                "rounds/2/scores | {\"scores\":{\"e\":3,\"x\":1}} | 400 | 'x' was not asked for in round 2",
                "rounds/2/scores | {\"scores\":{\"a\":1}} | 400 | 'a' was not asked for",
                "rounds/2/scores | {\"scores\":{\"e\":NaN}} | 400 | must be finite, got NaN",
                "rounds/2/scores | {\"scores\":{\"e\":Infinity}} | 400 | must be finite",
                "rounds/2/scores | {\"scores\":{\"e\":[1,2]}} | 400 | must be one number, got 2",
                "rounds/2/scores | {\"scores\":{\"e\":[]}} | 400 | must be one number, got 0",
                "rounds/2/scores | {\"scores\":{\"e\":null}} | 400 | must be a number",
                "rounds/2/scores | {\"scores\":{\"e\":{}}} | 400 | must be a number",
                "rounds/2/scores | {\"scores\":{\"e\":{\"score\":1,\"price\":2}}} | 400 | unknown field 'price'",
                "rounds/2/scores | {\"scores\":{\"e\":{\"score\":1,\"cost\":-2}}} | 400 | the cost of 'e'",
                "rounds/2/scores | {\"scores\":{\"e\":{\"score\":1,\"cost\":\"2\"}}} | 400 | must be a number",
                "rounds/2/scores | {\"scores\":{\"e\":1,\"e\":1}} | 400 | cannot be read as JSON",
                "rounds/2/scores | {\"scores\":[1]} | 400 | asks for 2 scores, got 1",
                "rounds/2/scores | {\"scores\":[1,2,3]} | 400 | asks for 2 scores, got 3",
                "rounds/2/scores | {\"scores\":3} | 400 | \"scores\" must be",
                "rounds/2/scores | {} | 400 | \"scores\" must be",
                "rounds/2/scores | {\"scores\":[],\"estimates\":1} | 400 | true or false",
                "rounds/7/scores | {\"scores\":{}} | 404 | there is no round 7; the last one is 2",
                "rounds/0/scores | {\"scores\":{}} | 404 | there is no round 0",
                "rounds/x/scores | {\"scores\":{}} | 400 | must be a number",
                "rounds/99999999999/scores | {\"scores\":{}} | 400 | must be a number",
                "rounds/1/abandon | {\"ids\":[\"a\"]} | 409 | nothing to abandon",
                "rounds/2/abandon | {\"ids\":[\"a\"]} | 400 | 'a' was not asked for",
                "rounds/2/abandon | {\"ids\":\"e\"} | 400 | must be a list",
                "rounds/2/abandon | {\"ids\":[1]} | 400 | texts only",
                "rounds/2/abandon | {\"ids\":[],\"free\":\"yes\"} | 400 | true or false",
                "rounds/7/abandon | {\"ids\":[]} | 404 | no round 7",
                "rounds/2/rescore | {\"judge\":\"critic\"} | 409 | no item of round 2 has a score",
                "rounds/1/rescore | {\"judge\":\"judge\"} | 400 | name another judge",
                "rounds/1/rescore | {} | 400 | \"judge\" must be",
                "rounds/1/rescore | {\"judge\":\"critic\"} | 402 | the budget is spent",
                "rounds/1/rescore | {\"judge\":\"critic\",\"select\":true} | 400 | \"select\" must be",
            })
    void postsAreRefused(String path, String body, int status, String message) throws Exception {
        assertRefused(client.post(path, body), status, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rounds/7 | 404 | there is no round 7",
                "rounds/7/estimates | 404 | there is no round 7",
                "rounds/-1 | 400 | must be a number",
                "rounds?after=x | 400 | after must be a number",
                "rounds/1/scores | 404 | not found",
            })
    void getsAreRefused(String path, int status, String message) throws Exception {
        assertRefused(client.get(path), status, message);
    }

    private static byte[] matrix() {
        return NpyFile.ofColumns(new double[][] {{1, 2}, {3, 4}});
    }

    @Test
    void matricesThatMakeNoSenseAreRefused() throws Exception {
        String npy = "application/x-npy";
        assertRefused(client.postBytes("rounds", new byte[3], npy), 400, "is not in NumPy format");
        byte[] cut = java.util.Arrays.copyOf(matrix(), matrix().length - 1);
        assertRefused(client.postBytes("rounds", cut, npy), 400, "needs 32 bytes but has 31");
        assertRefused(client.postBytes("rounds?select=x", matrix(), npy), 400, "\"select\" must be");
        assertRefused(client.postBytes("rounds?lengths=1,2", matrix(), npy), 400, "lengths add up to 3");
        assertRefused(client.postBytes("rounds?lengths=2,0", matrix(), npy), 400, "item 1 has no steps");
        assertRefused(client.postBytes("rounds?lengths=a", matrix(), npy), 400, "lengths must be numbers");
        byte[] wide = NpyFile.ofColumns(new double[][] {{1}, {2}, {3}});
        assertRefused(client.postBytes("rounds", wide, npy), 400, "have 3 features");
        byte[] nan = NpyFile.ofColumns(new double[][] {{1}, {Double.NaN}});
        assertRefused(client.postBytes("rounds", nan, npy), 400, "must be finite");
        byte[] empty = "\u0093NUMPY".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        assertRefused(client.postBytes("rounds", empty, npy), 400, "NumPy format");
        byte[] cube = new String(matrix(), java.nio.charset.StandardCharsets.ISO_8859_1)
                .replace("(2, 2)", "(4,)  ")
                .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        assertRefused(client.postBytes("rounds", cube, npy), 400, "must be a matrix");
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedBeforeItIsRead() throws Exception {
        try (var socket = new java.net.Socket("127.0.0.1", server.port())) {
            socket.getOutputStream()
                    .write(("POST /api/advise/rounds HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                                    + "Content-Length: 999999999\r\nConnection: close\r\n\r\n{")
                            .getBytes(US_ASCII));
            socket.setSoTimeout(20_000);
            byte[] start = socket.getInputStream().readNBytes(12);
            assertThat(new String(start, US_ASCII)).isEqualTo("HTTP/1.1 413");
        }
        assertThat(state()).isEqualTo(before);
    }
}
