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
 * Reads episodes from JSON lines in the format of reward requests (see {@code docs/rewards.md}). {@code observations} and
 * {@code actions} are required, {@code episode} is used as an id, and other fields are ignored.
 *
 * <p>The text is read token by token, so that a large file needs no more memory than its numbers.
 */
final class JsonEpisodes {
    private static final int MAX_ID_LENGTH = 200;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            // not valid JSON, but Python writes NaN like this; accepting it allows a precise message
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

    /** The observations or the actions of all episodes so far. */
    private static final class Rows {
        final String name;
        final FloatList values = new FloatList();
        /** Numbers per row; 0 before the first row. */
        int width;
        /** Rows of the current episode; −1 before they are read. */
        int count;

        Rows(String name) {
            this.name = name;
        }
    }

    static LoggedEpisodes read(Path file, InputStream in, Consumer<String> progress) {
        try (JsonParser parser = JSON.createParser(in)) {
            return new JsonEpisodes(file, parser).read(progress);
        } catch (JacksonException e) {
            var location = e.getLocation();
            String where = location == null || location.getLineNr() < 1
                    ? ""
                    : ", line " + location.getLineNr() + ", column " + location.getColumnNr();
            throw new UserException(
                    file + where + " cannot be read as JSON: " + Excerpt.first(e.getOriginalMessage()), e);
        }
    }

    private LoggedEpisodes read(Consumer<String> progress) {
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token != JsonToken.START_OBJECT) {
                throw invalid("must start an episode, {\"observations\": …, \"actions\": …}, but has "
                        + JsonTokens.described(token) + "; expected one JSON object per line");
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
            throw invalid("has " + observations.count + " rows of observations and " + actions.count
                    + " of actions; each step must have one of each");
        }
        lengths.add(observations.count);
        ids.add(id);
    }

    private void requireRows(Rows rows) {
        if (rows.count < 0) {
            throw invalid("has an episode without \"" + rows.name + "\"");
        }
    }

    private void schema(JsonToken value) {
        if (value != JsonToken.VALUE_STRING || !parser.getString().equals(RequestJson.SCHEMA)) {
            throw invalid("has the schema " + Excerpt.first(String.valueOf(parser.getString()))
                    + "; this version reads " + RequestJson.SCHEMA);
        }
    }

    private String id(JsonToken value) {
        if (!value.isScalarValue() || value == JsonToken.VALUE_NULL) {
            parser.skipChildren();
            return "";
        }
        String text = parser.getString();
        return text.length() <= MAX_ID_LENGTH ? text : text.substring(0, MAX_ID_LENGTH) + "…";
    }

    private void rows(JsonToken value, Rows rows) {
        if (value != JsonToken.START_ARRAY) {
            throw invalid("must have a list of rows as \"" + rows.name + "\", but has " + JsonTokens.described(value));
        }
        rows.count = 0;
        for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
            if (next != JsonToken.START_ARRAY) {
                throw invalid("must have a list of numbers as " + rows.name + "[" + rows.count + "], but has "
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
            if (observations.values.size() + actions.values.size() > LoggedEpisodes.MAX_VALUES) {
                throw invalid("exceeds the maximum of " + LoggedEpisodes.MAX_VALUES + " numbers");
            }
        }
        if (width == 0) {
            throw invalid("has no numbers in " + rows.name + "[" + rows.count + "]");
        }
        if (rows.width != 0 && rows.width != width) {
            throw invalid("has " + width + " numbers in " + rows.name + "[" + rows.count + "], but earlier rows have "
                    + rows.width);
        }
        rows.width = width;
    }

    /** Reads a number; null stands for one that is not finite. */
    private float number(JsonToken value, Rows rows, int column) {
        return switch (value) {
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> (float) parser.getDoubleValue();
            case VALUE_NULL -> Float.NaN;
            default ->
                throw invalid("must have a number as " + rows.name + "[" + rows.count + "][" + column + "], but has "
                        + JsonTokens.described(value));
        };
    }

    private UserException invalid(String what) {
        return new UserException(
                file + ", line " + parser.currentTokenLocation().getLineNr() + " " + what);
    }
}
