package dev.pgkq.app.logged;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.rewards.request.RequestJson;
import dev.pgkq.text.UserException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class JsonEpisodesTest {
    @TempDir
    private Path folder = Path.of("");

    private LoggedEpisodes read(String text) throws IOException {
        return read(text.getBytes(UTF_8));
    }

    private LoggedEpisodes read(byte[] bytes) throws IOException {
        return EpisodeFile.read(Files.write(folder.resolve("episodes.jsonl"), bytes), what -> {});
    }

    /** Every float is read back exactly, and an episode without steps keeps its index. */
    @Test
    void rewardRequestsAreRead() throws IOException {
        EnvironmentSpec spec = EnvironmentSpec.symmetric(2, 1, 1, 1, 20);
        float[] observations = {0.1f, -0f, Float.MIN_VALUE, Float.MAX_VALUE, 1 / 3f, 16777216f};
        float[] actions = {-0.7f, 1e-20f, 3.4e38f};
        Episode whole = new Episode(1, 0, 3, observations, actions, new float[3], new double[4], Ending.TERMINATED);
        float[] none = {};
        Episode empty = new Episode(1, 1, 0, none, none, none, new double[1], Ending.DIVERGED);
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (Episode episode : new Episode[] {empty, whole, whole}) {
            lines.write(RequestJson.write("first", new Request("key", "Point-v0", 1, 1, spec, episode)));
            lines.write('\n');
        }
        LoggedEpisodes episodes = read(lines.toByteArray());
        assertThat(episodes.indices()).containsExactly(1, 2);
        assertThat(episodes.empty()).containsExactly(0);
        assertThat(episodes.steps().starts()).containsExactly(0, 3, 6);
        assertThat(episodes.observationSize()).isEqualTo(2);
        assertThat(episodes.actionSize()).isEqualTo(1);
        assertThat(episodes.steps().observations()).startsWith(observations).endsWith(observations);
        assertThat(episodes.steps().actions()).startsWith(actions).endsWith(actions);
        assertThat(episodes.ids()).containsExactly("first/1/0", "first/1/0");
    }

    @Test
    void onlyObservationsAndActionsAreRequired() throws IOException {
        LoggedEpisodes episodes = read("""
                {"actions": [[1], [2]], "reward": {"a": [[]]}, "observations": [[1, 2], [3, 4]], "episode": 17}

                {"observations": [[5, 6e0]], "actions": [[3]]}""");
        assertThat(episodes.steps().observations()).containsExactly(1, 2, 3, 4, 5, 6);
        assertThat(episodes.steps().actions()).containsExactly(1, 2, 3);
        assertThat(episodes.steps().starts()).containsExactly(0, 2, 3);
        assertThat(episodes.ids()).containsExactly("17", "");
    }

    @Test
    void byteOrderMarksAndOtherUnicodeEncodingsAreRead() throws IOException {
        String text = "{\"observations\": [[1]], \"actions\": [[1]], \"episode\": \"ü\"}\r\n";
        assertThat(read("\uFEFF" + text).ids()).containsExactly("ü");
        assertThat(read(text.getBytes(StandardCharsets.UTF_16LE)).ids()).containsExactly("ü");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    ~~                                                | is empty; expected one JSON object per line
                    ~  ~                                              | has no episodes
                    {"observations": [], "actions": []}               | has only episodes without steps (1)
                    time,x,y                                          | line 1, column 1 cannot be read as JSON: Unrecognized token 'time'
                    {"observations": [[1]], "actions": [[1]]          | cannot be read as JSON
                    {"observations": [[1]], "observations": [[1]]}    | Duplicate Object property "observations"
                    [{"observations": [[1]], "actions": [[1]]}]       | but has a list; expected one JSON object per line
                    7                                                 | but has a number
                    {}                                                | line 1 has an episode without "observations"
                    {"observations": [[1]]}                           | line 1 has an episode without "actions"
                    {"observations": [[1], [2]], "actions": [[1]]}    | has 2 rows of observations and 1 of actions; each step must have one of each
                    {"observations": [[1], [2, 3]], "actions": []}    | has 2 numbers in observations[1], but earlier rows have 1
                    {"observations": [[]], "actions": [[1]]}          | has no numbers in observations[0]
                    {"observations": [1, 2], "actions": [[1]]}        | must have a list of numbers as observations[0], but has a number
                    {"observations": {"x": 1}, "actions": [[1]]}      | must have a list of rows as "observations", but has an object
                    {"observations": null, "actions": [[1]]}          | must have a list of rows as "observations", but has null
                    {"observations": [["1"]], "actions": [[1]]}       | must have a number as observations[0][0], but has a text
                    {"observations": [[1, [2]]], "actions": [[1]]}    | must have a number as observations[0][1], but has a list
                    {"observations": [[1, null]], "actions": [[1]]}   | observations of episode 0, step 0 contain NaN at index 1; values must be finite
                    {"observations": [[1]], "actions": [[NaN]]}       | actions of episode 0, step 0 contain NaN at index 0
                    {"observations": [[1e39]], "actions": [[1]]}      | contain Infinity at index 0; values must be finite 32-bit numbers
                    {"schema": "pgkq.reward.request/2"}               | has the schema pgkq.reward.request/2; this version reads pgkq.reward.request/1
                    {"schema": 1}                                     | has the schema 1
                    """)
    void messagesSayWhatIsWrong(String json, String message) {
        assertThatThrownBy(() -> read(json))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("episodes.jsonl")
                .hasMessageContaining(message);
    }

    @Test
    void messagesSayWhereItIsWrong() {
        String valid = "{\"observations\": [[1, 2]], \"actions\": [[1]]}\n";
        assertThatThrownBy(() -> read(valid + valid + "{\"observations\": [[1]], \"actions\": [[1]]}"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("line 3 has 1 numbers in observations[0], but earlier rows have 2");
        assertThatThrownBy(() -> read(valid + "{\"observations\": [], \"actions\": []}\n"
                        + "{\"observations\": [[1, 2], [3, null]], \"actions\": [[1], [2]]}"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("episode 2, step 1 contain NaN at index 1");
        assertThatThrownBy(() -> read(valid + "{\"observations\": oops")).hasMessageContaining("line 2, column 18");
    }

    static Stream<Arguments> malicious() {
        return Stream.of(
                arguments(named("nested lists", "[".repeat(1_000_000))),
                arguments(named("nested objects", "{\"a\":".repeat(1_000_000))),
                arguments(named("a long number", "{\"observations\": [[" + "9".repeat(1_000_000))),
                arguments(named("a long key", "{\"" + "k".repeat(1_000_000) + "\": 1}")),
                arguments(named("a lone surrogate", "{\"episode\": \"\\ud800\", \"a\": \"\u0000\"}")),
                arguments(named("terminal control", "\033]0;owned\007")));
    }

    @ParameterizedTest
    @MethodSource("malicious")
    void maliciousFilesAreRejectedWithAShortMessage(String json) {
        assertThatThrownBy(() -> read(json))
                .isInstanceOf(UserException.class)
                .message()
                .doesNotContainPattern("\\p{Cc}")
                .hasSizeLessThan(1500);
    }

    @Test
    void aLongIdIsTruncated() throws IOException {
        String name = "x".repeat(100_000);
        assertThat(read("{\"observations\": [[1]], \"actions\": [[1]], \"episode\": \"" + name + "\"}")
                        .ids()
                        .getFirst())
                .hasSize(201);
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatThrownBy(() -> EpisodeFile.read(folder.resolve("missing.jsonl"), what -> {}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("missing.jsonl: it does not exist");
        assertThatThrownBy(() -> EpisodeFile.read(folder, what -> {}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("cannot read " + folder);
    }
}
