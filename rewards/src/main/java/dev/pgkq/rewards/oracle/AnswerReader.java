package dev.pgkq.rewards.oracle;

import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.request.JsonTokens;
import dev.pgkq.text.Excerpt;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads an answer from bytes that anybody may have written: <code>{"rewards": […]}</code> or <code>{"return": …}</code>,
 * with {@code cost}, {@code note} and {@code schema} if wanted. Other keys are passed over, and null counts as absent.
 *
 * <p>Whatever the bytes, the result is an answer with as many finite rewards as the episode has steps, or an
 * {@link EvaluationException} that says what is wrong. That one is always retryable: judges made of language models or busy
 * services do write nonsense now and then, and asking again helps. Who writes nonsense always is stopped by the number of
 * attempts.
 *
 * <p>The text is read token by token and given up at the first mistake, so that a large one costs no more memory than its
 * bytes.
 */
public final class AnswerReader {
    static final String SCHEMA = "pgkq.reward.answer/1";
    private static final int LONGEST_NOTE = 4000;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            // Not JSON, but what Python writes for a NaN: this way it can be called by its name.
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    private final JsonParser parser;
    private final int length;
    private double @Nullable [] rewards;
    private @Nullable Double whole;
    private @Nullable Double cost;
    private @Nullable String note;

    private AnswerReader(JsonParser parser, int length) {
        this.parser = parser;
        this.length = length;
    }

    /**
     * Reads an answer.
     *
     * @param length steps of the episode
     */
    public static Reply read(byte[] json, int length) throws EvaluationException {
        try (JsonParser parser = JSON.createParser(json)) {
            return new AnswerReader(parser, length).read();
        } catch (EvaluationException e) {
            throw EvaluationException.passing(e.getMessage() + expected(length) + quoted(json));
        } catch (JacksonException e) {
            var place = e.getLocation();
            String where = place == null || place.getLineNr() < 1
                    ? ""
                    : " (line " + place.getLineNr() + ", column " + place.getColumnNr() + ")";
            throw EvaluationException.passing(
                    "the answer cannot be read as JSON" + where + ": " + reason(e) + expected(length) + quoted(json),
                    e);
        }
    }

    /** Without all that the parser would have taken instead: it knows NaN, to call it by its name, which is no answer. */
    private static String reason(JacksonException e) {
        return Excerpt.first(e.getOriginalMessage().replaceAll("(?s): .*| ?\\(or '[^)]*'\\)", ""));
    }

    /** What a right answer looks like. */
    private static String expected(int length) {
        return "; expected {\"return\": 7.5}, or {\"rewards\": [0.5, …]} with " + length
                + (length == 1 ? " number" : " numbers");
    }

    private static String quoted(byte[] json) {
        String quote = Excerpt.quoted(json);
        return quote.isEmpty() ? "" : "; it was " + quote;
    }

    /** An answer of which more than {@code limit} bytes came. */
    static EvaluationException tooLong(long limit) {
        return wrong("is longer than " + limit + " bytes");
    }

    private Reply read() throws EvaluationException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            throw wrong("is empty");
        }
        if (first != JsonToken.START_OBJECT) {
            throw wrong("should be a JSON object such as {\"return\": 1.5}, but begins with "
                    + JsonTokens.described(first));
        }
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            JsonToken value = parser.nextToken();
            if (value == JsonToken.VALUE_NULL) {
                continue;
            }
            switch (name) {
                case "schema" -> schema(value);
                case "rewards" -> rewards = numbers(value);
                case "return" -> whole = number(value, "\"return\"");
                case "cost" -> cost = cost(value);
                case "note" -> note = note(value);
                default -> parser.skipChildren();
            }
        }
        if (parser.nextToken() != null) {
            throw wrong("has more text after its end");
        }
        return answer();
    }

    private Reply answer() throws EvaluationException {
        OptionalDouble price = cost == null ? OptionalDouble.empty() : OptionalDouble.of(cost);
        Optional<String> word = Optional.ofNullable(note);
        if (rewards != null && whole != null) {
            throw wrong("has both \"rewards\" and \"return\", and should have one of them");
        }
        if (rewards != null) {
            return new Reply(Grain.STEP, rewards, price, word);
        }
        if (whole != null) {
            return new Reply(Grain.EPISODE, new double[] {whole}, price, word);
        }
        throw wrong("has neither \"rewards\" nor \"return\"");
    }

    private void schema(JsonToken value) throws EvaluationException {
        if (value != JsonToken.VALUE_STRING || !parser.getString().equals(SCHEMA)) {
            throw wrong("has the schema " + Excerpt.first(parser.getString()) + ", and this version reads " + SCHEMA);
        }
    }

    private double[] numbers(JsonToken value) throws EvaluationException {
        if (value != JsonToken.START_ARRAY) {
            throw wrong("should have a list of numbers as \"rewards\", but has " + JsonTokens.described(value));
        }
        double[] numbers = new double[length];
        int count = 0;
        for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
            if (count == length) {
                throw wrong("has more than " + length + " rewards for an episode of " + length + " steps");
            }
            numbers[count] = number(next, "rewards[" + count + "]");
            count++;
        }
        if (count < length) {
            throw wrong("has " + count + " rewards for an episode of " + length + " steps");
        }
        return numbers;
    }

    private double number(JsonToken value, String what) throws EvaluationException {
        if (value != JsonToken.VALUE_NUMBER_INT && value != JsonToken.VALUE_NUMBER_FLOAT) {
            throw wrong("should have a number as " + what + ", but has " + JsonTokens.described(value));
        }
        double number = parser.getDoubleValue();
        if (!Double.isFinite(number)) {
            throw wrong("has " + number + " as " + what + ", and rewards must be finite");
        }
        return number;
    }

    private double cost(JsonToken value) throws EvaluationException {
        double number = number(value, "\"cost\"");
        if (number < 0) {
            throw wrong("has the cost " + number + ", which should not be negative");
        }
        return number;
    }

    private String note(JsonToken value) throws EvaluationException {
        if (value != JsonToken.VALUE_STRING) {
            throw wrong("should have a text as \"note\", but has " + JsonTokens.described(value));
        }
        String text = parser.getString();
        return text.length() <= LONGEST_NOTE ? text : text.substring(0, LONGEST_NOTE) + "…";
    }

    private static EvaluationException wrong(String what) {
        return EvaluationException.passing("the answer " + what);
    }
}
