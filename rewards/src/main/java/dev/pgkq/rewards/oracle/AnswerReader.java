package dev.pgkq.rewards.oracle;

import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.request.JsonTokens;
import dev.pgkq.rewards.request.Reply;
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
 * Parses an answer from untrusted bytes: <code>{"rewards": […]}</code> or <code>{"return": …}</code>, optionally with
 * {@code cost}, {@code note} and {@code schema}. Other keys are ignored, and null counts as absent. An oracle that cannot evaluate
 * an episode may say so: <code>{"error": "…"}</code>, with the {@code cost} of the call if it is not that of an answer.
 *
 * <p>Whatever the bytes, the result is a reply with as many finite rewards as the episode has steps, or an
 * {@link EvaluationException} that states the error. It is always retryable: language models and busy services occasionally
 * return malformed answers, and another attempt helps. It is {@linkplain EvaluationException#isAgainstContract against the contract}
 * unless the oracle reports an error, so that an oracle that has never answered well is not asked again.
 *
 * <p>The text is parsed token by token and rejected at the first error, so a large one takes no more memory than its bytes.
 */
public final class AnswerReader {
    static final String SCHEMA = "pgkq.reward.answer/1";
    private static final int LONGEST_NOTE = 4000;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            // Not JSON, but what Python writes for NaN: accepted here so that the error message can name it.
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    private final JsonParser parser;
    private final int length;
    private double @Nullable [] rewards;
    private @Nullable Double whole;
    private @Nullable Double cost;
    private @Nullable String note;
    private @Nullable String error;

    private AnswerReader(JsonParser parser, int length) {
        this.parser = parser;
        this.length = length;
    }

    /**
     * Reads an answer.
     *
     * @param length number of steps of the episode
     * @throws EvaluationException if it is not a valid answer
     */
    public static Reply read(byte[] json, int length) throws EvaluationException {
        try (JsonParser parser = JSON.createParser(json)) {
            return new AnswerReader(parser, length).read();
        } catch (EvaluationException e) {
            throw e.isAgainstContract()
                    ? e.withMessage(e.getMessage() + expected(length) + quoted(json))
                            .withCost(ErrorAnswer.cost(json))
                    : e;
        } catch (JacksonException e) {
            var place = e.getLocation();
            String where = place == null || place.getLineNr() < 1
                    ? ""
                    : " (line " + place.getLineNr() + ", column " + place.getColumnNr() + ")";
            throw EvaluationException.temporary(
                            "the answer is not valid JSON" + where + ": " + reason(e) + expected(length) + quoted(json),
                            e)
                    .againstContract();
        }
    }

    /** Without the list of tokens that the parser accepts, which includes NaN. */
    private static String reason(JacksonException e) {
        return Excerpt.first(e.getOriginalMessage().replaceAll("(?s): .*| ?\\(or '[^)]*'\\)", ""));
    }

    /**
     * What a valid answer looks like.
     *
     * @param length number of steps of the episode
     */
    public static String example(int length) {
        return "{\"return\": 7.5}, or {\"rewards\": [0.5, …]} with " + length + (length == 1 ? " number" : " numbers");
    }

    private static String expected(int length) {
        return "; expected " + example(length);
    }

    private static String quoted(byte[] json) {
        String quote = Excerpt.quoted(json);
        return quote.isEmpty() ? "" : "; got " + quote;
    }

    /** The error of an answer that exceeds {@code limit} bytes. */
    static EvaluationException tooLong(long limit) {
        return invalid("is longer than " + limit + " bytes");
    }

    private Reply read() throws EvaluationException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            throw invalid("is empty");
        }
        if (first != JsonToken.START_OBJECT) {
            throw invalid(
                    "must be a JSON object such as {\"return\": 1.5}, but starts with " + JsonTokens.described(first));
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
                case "error" -> error = value == JsonToken.VALUE_STRING ? parser.getString() : skipped();
                default -> parser.skipChildren();
            }
        }
        if (parser.nextToken() != null) {
            throw invalid("has text after its end");
        }
        return reply();
    }

    private Reply reply() throws EvaluationException {
        OptionalDouble price = cost == null ? OptionalDouble.empty() : OptionalDouble.of(cost);
        Optional<String> comment = Optional.ofNullable(note);
        if (rewards != null && whole != null) {
            throw invalid("has both \"rewards\" and \"return\"; only one of them is allowed");
        }
        if (rewards != null) {
            return new Reply(Grain.STEP, rewards, price, comment);
        }
        if (whole != null) {
            return new Reply(Grain.EPISODE, new double[] {whole}, price, comment);
        }
        if (error != null) {
            throw EvaluationException.temporary("reports an error: " + Excerpt.first(error))
                    .withCost(price);
        }
        throw invalid("has neither \"rewards\" nor \"return\"");
    }

    private @Nullable String skipped() {
        parser.skipChildren();
        return null;
    }

    private void schema(JsonToken value) throws EvaluationException {
        if (value != JsonToken.VALUE_STRING || !parser.getString().equals(SCHEMA)) {
            throw invalid("has the schema " + Excerpt.first(parser.getString()) + ", but this version reads " + SCHEMA);
        }
    }

    private double[] numbers(JsonToken value) throws EvaluationException {
        if (value != JsonToken.START_ARRAY) {
            throw invalid("must have a list of numbers as \"rewards\", but has " + JsonTokens.described(value));
        }
        double[] numbers = new double[length];
        int count = 0;
        for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
            if (count < length) {
                numbers[count] = number(next, "rewards[" + count + "]");
            } else {
                parser.skipChildren();
            }
            count++;
        }
        if (count != length) {
            throw invalid("has " + count + " rewards for an episode of " + length + " steps");
        }
        return numbers;
    }

    private double number(JsonToken value, String what) throws EvaluationException {
        if (value != JsonToken.VALUE_NUMBER_INT && value != JsonToken.VALUE_NUMBER_FLOAT) {
            throw invalid("must have a number as " + what + ", but has " + JsonTokens.described(value));
        }
        double number = parser.getDoubleValue();
        if (!Double.isFinite(number)) {
            throw invalid("has " + number + " as " + what + ", but numbers must be finite");
        }
        return number;
    }

    private double cost(JsonToken value) throws EvaluationException {
        double number = number(value, "\"cost\"");
        if (number < 0) {
            throw invalid("has the cost " + number + ", but a cost must not be negative");
        }
        if (number > Reply.HIGHEST_COST) {
            throw invalid("has the cost " + number + ", but a cost must be at most " + (long) Reply.HIGHEST_COST
                    + "; state it in a larger unit");
        }
        return number;
    }

    private String note(JsonToken value) throws EvaluationException {
        if (value != JsonToken.VALUE_STRING) {
            throw invalid("must have a string as \"note\", but has " + JsonTokens.described(value));
        }
        String text = parser.getString();
        return text.length() <= LONGEST_NOTE ? text : text.substring(0, LONGEST_NOTE) + "…";
    }

    private static EvaluationException invalid(String what) {
        return EvaluationException.temporary("the answer " + what).againstContract();
    }
}
