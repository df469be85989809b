package dev.pgkq.rewards.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.request.Reply;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerReaderTest {
    private static Reply read(String json) throws EvaluationException {
        return AnswerReader.read(json.getBytes(UTF_8), 3);
    }

    @Test
    void rewardsOfSteps() throws EvaluationException {
        Reply answer = read("""
                {"schema": "pgkq.reward.answer/1", "rewards": [1, -2.5, 1e-3], "cost": 0.02, "note": "ünsure"}
                """);
        assertThat(answer.grain()).isEqualTo(Grain.STEP);
        assertThat(answer.values()).containsExactly(1, -2.5, 1e-3);
        assertThat(answer.cost()).hasValue(0.02);
        assertThat(answer.note()).hasValue("ünsure");
        assertThat(answer.total()).isEqualTo(-1.499);
    }

    @Test
    void oneNumberForTheWhole() throws EvaluationException {
        Reply answer = read("{\"return\": 7}");
        assertThat(answer.grain()).isEqualTo(Grain.EPISODE);
        assertThat(answer.values()).containsExactly(7);
        assertThat(answer.cost()).isEmpty();
        assertThat(answer.note()).isEmpty();
    }

    @Test
    void nullIsAbsentAndOtherKeysArePassedOver() throws EvaluationException {
        Reply answer = read("{\"rewards\": null, \"return\": 1, \"note\": null, \"model\": {\"a\": [{}], \"b\": 1}}");
        assertThat(answer.values()).containsExactly(1);
        assertThat(answer.note()).isEmpty();
    }

    @Test
    void anEpisodeWithoutStepsHasNoRewards() throws EvaluationException {
        assertThat(AnswerReader.read("{\"rewards\": []}".getBytes(UTF_8), 0).values())
                .isEmpty();
    }

    @Test
    void aMarkOfWindowsAndOtherEncodingsOfUnicodeAreRead() throws EvaluationException {
        assertThat(read("\uFEFF{\"return\": 1}").values()).containsExactly(1);
        assertThat(AnswerReader.read("{\"return\": 1}".getBytes(StandardCharsets.UTF_16LE), 3)
                        .values())
                .containsExactly(1);
    }

    @Test
    void aLongNoteIsCut() throws EvaluationException {
        assertThat(read("{\"return\": 1, \"note\": \"" + "x".repeat(1_000_000) + "\"}")
                        .note()
                        .orElseThrow())
                .hasSize(4001);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    ~~                                          | the answer is empty
                    ~  ~                                        | the answer is empty
                    Loading model...                            | is not valid JSON (line 1, column 1): Unrecognized token 'Loading'
                    {"return": 1                                | is not valid JSON
                    {"return": 1} done                          | is not valid JSON
                    {"return": 1} {"return": 2}                 | has text after its end
                    {"return": 1, "return": 1}                  | Duplicate Object property "return"
                    {'return': 1}                               | is not valid JSON
                    {"return": 1,}                              | is not valid JSON
                    {"return": 01}                              | is not valid JSON
                    7                                           | must be a JSON object such as {"return": 1.5}, but starts with a number
                    [1, 2, 3]                                   | but starts with a list
                    null                                        | but starts with null
                    {}                                          | neither "rewards" nor "return"
                    {"reward": 1}                               | neither "rewards" nor "return"
                    {"return": 1, "rewards": [1, 2, 3]}         | both "rewards" and "return"
                    {"rewards": [1, 2]}                         | has 2 rewards for an episode of 3 steps
                    {"rewards": []}                             | has 0 rewards for an episode of 3 steps
                    {"rewards": [1, 2, 3, 4]}                   | has 4 rewards for an episode of 3 steps
                    {"rewards": [1, NaN, 3]}                    | has NaN as rewards[1]
                    {"rewards": [1, 2, -Infinity]}              | has -Infinity as rewards[2]
                    {"rewards": [1, null, 3]}                   | must have a number as rewards[1], but has null
                    {"rewards": ["1", 2, 3]}                    | must have a number as rewards[0], but has a text
                    {"rewards": [[1], 2, 3]}                    | must have a number as rewards[0], but has a list
                    {"rewards": [true, 2, 3]}                   | must have a number as rewards[0], but has true or false
                    {"rewards": 1}                              | must have a list of numbers as "rewards", but has a number
                    {"return": 1e999}                           | has Infinity as "return", but numbers must be finite
                    {"return": "high"}                          | must have a number as "return", but has a text
                    {"return": {}}                              | must have a number as "return", but has an object
                    {"return": 1, "cost": -1}                   | has the cost -1.0, but a cost must not be negative
                    {"return": 1, "cost": 1e308}                | has the cost 1.0E308, but a cost must be at most 1000000000; state it in a larger unit
                    {"return": 1, "cost": "2 cents"}            | must have a number as "cost", but has a text
                    {"return": 1, "note": ["a"]}                | must have a string as "note", but has a list
                    {"return": 1, "schema": "pgkq.reward.answer/2"} | has the schema pgkq.reward.answer/2, but this version reads pgkq.reward.answer/1
                    {"return": 1, "schema": 1}                  | has the schema 1
                    """)
    void whatIsWrongIsTold(String json, String message) {
        assertThatThrownBy(() -> read(json))
                .isInstanceOfSatisfying(
                        EvaluationException.class,
                        e -> assertThat(e.retryable()).isTrue())
                .hasMessageContaining(message);
    }

    @Test
    void whatCameIsQuotedAndNaNIsNotOffered() {
        assertThatThrownBy(() -> read("seven out\r\nof ten, I  guess"))
                .hasMessageEndingWith("; got “seven out of ten, I guess”")
                .message()
                .doesNotContain("NaN", "INF");
        assertThatThrownBy(() -> read("{\"rewards\": [1, NaN, 3]}"))
                .hasMessageContaining(
                        "numbers must be finite; expected {\"return\": 7.5}, or {\"rewards\": [0.5, …]} with 3"
                                + " numbers; got “{\"rewards\": [1, NaN, 3]}”");
        assertThatThrownBy(() -> read("{\"rewards\": [1]" + ", \"x\": \"é\"".repeat(500) + "}"))
                .message()
                .contains("; got “{\"rewards\": [1], \"x\": \"é\"")
                .endsWith("…”")
                .hasSizeLessThan(300);
    }

    @Test
    void whatIsMeantToHurtDoesNot() {
        for (String json : new String[] {
            "[".repeat(1_000_000),
            "{\"a\":".repeat(1_000_000),
            "{\"x\": " + "[".repeat(1_000_000),
            "{\"return\": " + "9".repeat(1_000_000) + "}",
            "{\"return\": 1e" + "9".repeat(1000) + "}",
            "{\"" + "k".repeat(1_000_000) + "\": 1}",
            "{\"note\": \"\\ud800\", \"return\": 1, \"a\": \"\u0000\"}"
        }) {
            assertThatThrownBy(() -> read(json)).isInstanceOf(EvaluationException.class);
        }
        // Bytes that are not UTF-8, and control characters of a terminal
        assertThatThrownBy(() -> AnswerReader.read(new byte[] {'{', '"', (byte) 0xC3, '"', ':', '1', '}'}, 3))
                .isInstanceOf(EvaluationException.class);
        assertThatThrownBy(() -> read("\033]0;owned\007"))
                .isInstanceOf(EvaluationException.class)
                .message()
                .doesNotContain("\033");
    }
}
