package dev.pgkq.app.logged;

import dev.pgkq.rewards.request.JsonTokens;
import dev.pgkq.rewards.request.RequestJson;
import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads episodes from JSON lines: the requests that a reward is asked for with (see {@code docs/rewards.md}), of which
 * {@code observations} and {@code actions} are needed, {@code episode} is taken as a name, and the rest is passed over.
 *
 * <p>The text is read token by token, so that a large one costs no more memory than its numbers.
 */
final class JsonEpisodes {
    private static final int LONGEST_ID = 200;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            // Not JSON, but what Python writes for a NaN: this way it can be called by its name.
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    private final Path file;
    private final JsonParser parser;
    private final Rows observations = new Rows("observations");
    private final Rows actions = new Rows("actions");
    private final List<Integer> lengths = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();

    private JsonEpisodes(Path file, JsonParser parser) {
        this.file = file;
        this.parser = parser;
    }

    /** Rows of one kind, of all episodes so far. */
    private static final class Rows {
        final String name;
        final Floats values = new Floats();
        /** Of a row; 0 as long as no row was seen. */
        int width;
        /** Of this episode; −1 as long as they were not seen. */
        int count;

        Rows(String name) {
            this.name = name;
        }
    }

    static LoggedEpisodes read(Path file, InputStream in, Consumer<String> progress) {
        try (JsonParser parser = JSON.createParser(in)) {
            return new JsonEpisodes(file, parser).read(progress);
        } catch (JacksonException e) {
            var place = e.getLocation();
            String where = place == null || place.getLineNr() < 1
                    ? ""
                    : ", line " + place.getLineNr() + ", column " + place.getColumnNr();
            throw new UserException(
                    file + where + " cannot be read as JSON: " + Excerpt.first(e.getOriginalMessage()), e);
        }
    }

    private LoggedEpisodes read(Consumer<String> progress) {
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token != JsonToken.START_OBJECT) {
                throw wrong("should begin an episode, {\"observations\": …, \"actions\": …}, but has "
                        + JsonTokens.described(token) + "; there should be one JSON object a line");
            }
            progress.accept("reading episode " + ids.size() + " of " + file);
            episode();
        }
        return LoggedEpisodes.of(
                file,
                lengths.stream().mapToInt(Integer::intValue).toArray(),
                observations.width,
                observations.values.toArray(),
                actions.width,
                actions.values.toArray(),
                ids);
    }

    private void episode() {
        String id = "";
        observations.count = -1;
        actions.count = -1;
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            JsonToken value = parser.nextToken();
            switch (name) {
                case "schema" -> schema(value);
                case "episode" -> id = id(value);
                case "observations" -> rows(value, observations);
                case "actions" -> rows(value, actions);
                default -> parser.skipChildren();
            }
        }
        requireRows(observations);
        requireRows(actions);
        if (observations.count != actions.count) {
            throw wrong("has " + observations.count + " rows of observations and " + actions.count
                    + " of actions: each step should have one of both");
        }
        lengths.add(observations.count);
        ids.add(id);
    }

    private void requireRows(Rows rows) {
        if (rows.count < 0) {
            throw wrong("has an episode without \"" + rows.name + "\"");
        }
    }

    private void schema(JsonToken value) {
        if (value != JsonToken.VALUE_STRING || !parser.getString().equals(RequestJson.SCHEMA)) {
            throw wrong("has the schema " + Excerpt.first(String.valueOf(parser.getString()))
                    + ", and this version reads " + RequestJson.SCHEMA);
        }
    }

    private String id(JsonToken value) {
        if (!value.isScalarValue() || value == JsonToken.VALUE_NULL) {
            parser.skipChildren();
            return "";
        }
        String text = parser.getString();
        return text.length() <= LONGEST_ID ? text : text.substring(0, LONGEST_ID) + "…";
    }

    private void rows(JsonToken value, Rows rows) {
        if (value != JsonToken.START_ARRAY) {
            throw wrong("should have a list of rows as \"" + rows.name + "\", but has " + JsonTokens.described(value));
        }
        rows.count = 0;
        for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
            if (next != JsonToken.START_ARRAY) {
                throw wrong("should have a list of numbers as " + rows.name + "[" + rows.count + "], but has "
                        + JsonTokens.described(next));
            }
            row(rows);
            rows.count++;
        }
    }

    private void row(Rows rows) {
        int width = 0;
        for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
            rows.values.add(number(next, rows, width));
            width++;
            if (observations.values.size() + actions.values.size() > LoggedEpisodes.MOST_VALUES) {
                throw wrong("goes beyond " + LoggedEpisodes.MOST_VALUES + " numbers, which is as many as are read");
            }
        }
        if (width == 0) {
            throw wrong("has no numbers in " + rows.name + "[" + rows.count + "]");
        }
        if (rows.width != 0 && rows.width != width) {
            throw wrong("has " + width + " numbers in " + rows.name + "[" + rows.count
                    + "], and the rows before it have " + rows.width);
        }
        rows.width = width;
    }

    /** What is not finite is written as null. */
    private float number(JsonToken value, Rows rows, int column) {
        return switch (value) {
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> (float) parser.getDoubleValue();
            case VALUE_NULL -> Float.NaN;
            default ->
                throw wrong("should have a number as " + rows.name + "[" + rows.count + "][" + column + "], but has "
                        + JsonTokens.described(value));
        };
    }

    private UserException wrong(String what) {
        return new UserException(
                file + ", line " + parser.currentTokenLocation().getLineNr() + " " + what);
    }
}
