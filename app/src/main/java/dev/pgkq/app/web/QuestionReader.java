package dev.pgkq.app.web;

import dev.pgkq.advise.Items;
import dev.pgkq.app.logged.NpyArray;
import dev.pgkq.rewards.advise.Question;
import dev.pgkq.rewards.advise.Score;
import dev.pgkq.rewards.request.JsonTokens;
import dev.pgkq.select.Pace;
import dev.pgkq.text.UserException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads questions: as JSON, or as an array of NumPy with the rest in the query of the address. */
final class QuestionReader {
    private static final Set<String> FIELDS =
            Set.of("features", "ids", "select", "projections", "owned", "judge", "round", "request");

    private RowsReader.@Nullable Rows features;
    private RowsReader.@Nullable Rows projections;
    private List<String> ids = List.of();
    private Optional<Pace> pace = Optional.empty();
    private Optional<String> judge = Optional.empty();
    private Map<String, Score> owned = Map.of();
    private Optional<Integer> round = Optional.empty();
    private Optional<String> request = Optional.empty();

    private QuestionReader() {}

    /** @throws HttpError if the body makes no sense */
    static Question json(byte[] body) {
        try (JsonParser parser = AdviserBodies.JSON.createParser(body)) {
            QuestionReader reader = new QuestionReader();
            reader.read(parser);
            return reader.question();
        } catch (JacksonException e) {
            throw AdviserBodies.malformed(e);
        }
    }

    private void read(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw HttpError.badRequest("the body must be a JSON object, {\"features\": [[…], …]}");
        }
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            switch (name) {
                case "features" -> features = RowsReader.read(name, parser);
                case "projections" -> projections = RowsReader.read(name, parser);
                case "ids" -> ids = texts(name, parser);
                case "select" -> pace = Optional.of(pace(parser));
                case "judge" -> judge = Optional.of(text(name, parser));
                case "owned" -> owned = scores(parser);
                case "round" -> round = Optional.of(number(parser));
                case "request" -> request = Optional.of(text(name, parser));
                default -> throw AdviserBodies.unknownField(name, FIELDS);
            }
        }
        if (parser.nextToken() != null) {
            throw HttpError.badRequest("the body must be one JSON object, but something follows it");
        }
    }

    private static Pace pace(JsonParser parser) {
        return switch (parser.nextToken()) {
            case VALUE_NUMBER_INT, VALUE_STRING -> AdviserBodies.pace(parser.getString());
            default -> throw AdviserBodies.noPace();
        };
    }

    private static int number(JsonParser parser) {
        return parser.nextToken() == JsonToken.VALUE_NUMBER_INT ? round(parser.getString()) : round("");
    }

    /** The number of a round. */
    private static int round(String text) {
        if (!text.matches("[1-9]\\d{0,8}")) {
            throw HttpError.badRequest("\"round\" must be the number of a round, from 1");
        }
        return Integer.parseInt(text);
    }

    private static String text(String name, JsonParser parser) {
        if (parser.nextToken() != JsonToken.VALUE_STRING) {
            throw HttpError.badRequest("\"" + name + "\" must be a text");
        }
        return parser.getString();
    }

    private static List<String> texts(String name, JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_ARRAY) {
            throw HttpError.badRequest("\"" + name + "\" must be a list of texts");
        }
        List<String> texts = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (token != JsonToken.VALUE_STRING) {
                throw HttpError.badRequest("\"" + name + "\" must be a list of texts, but number " + texts.size()
                        + " is " + JsonTokens.described(token));
            }
            texts.add(parser.getString());
        }
        return texts;
    }

    private static Map<String, Score> scores(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw HttpError.badRequest("\"owned\" must be an object, from ids to scores");
        }
        Map<String, Score> scores = new LinkedHashMap<>();
        for (String id = parser.nextName(); id != null; id = parser.nextName()) {
            parser.nextToken();
            scores.put(id, AdviserBodies.score(id, AdviserBodies.PART.readTree(parser)));
        }
        return scores;
    }

    private Question question() {
        if (features == null) {
            throw HttpError.badRequest("\"features\" are missing: a list with a row of numbers for each item");
        }
        float[] projected = {};
        int width = 0;
        if (projections != null) {
            if (!Arrays.equals(projections.starts(), features.starts())) {
                throw HttpError.badRequest("\"projections\" must have a row for each row of \"features\"");
            }
            projected = projections.values();
            width = projections.width();
        }
        Items items = items(features.starts(), features.values(), features.width(), projected, width);
        return new Question(items, ids, pace, judge, owned, round, request);
    }

    private static Items items(int[] starts, float[] features, int width, float[] projections, int projectionWidth) {
        try {
            return new Items(starts, features, width, projections, projectionWidth);
        } catch (IllegalArgumentException e) {
            throw HttpError.badRequest(String.valueOf(e.getMessage()));
        }
    }

    /**
     * A question whose body is a matrix of features.
     *
     * @param select a number or "auto"; null for the usual
     * @param judge name of the judge; null for the usual
     * @param lengths the number of rows of each item, separated by commas; null if each is one
     * @param round number of the round; null if it is not said
     * @param request name of the question; null if it has none
     * @throws HttpError if the body or a parameter makes no sense
     */
    static Question npy(
            byte[] body,
            @Nullable String select,
            @Nullable String judge,
            @Nullable String lengths,
            @Nullable String round,
            @Nullable String request) {
        try {
            NpyArray array = NpyArray.open("the body", new ByteArrayInputStream(body), body.length);
            int[] shape = array.shape();
            if (shape.length != 2) {
                throw HttpError.badRequest(
                        "the body must be a matrix with a row for each step, but has shape " + array.shapeText());
            }
            int[] starts = lengths == null ? IntStream.rangeClosed(0, shape[0]).toArray() : starts(lengths, shape[0]);
            return new Question(
                    items(starts, array.floats(), shape[1], new float[0], 0),
                    List.of(),
                    Optional.ofNullable(select).map(AdviserBodies::pace),
                    Optional.ofNullable(judge),
                    Map.of(),
                    Optional.ofNullable(round).map(QuestionReader::round),
                    Optional.ofNullable(request));
        } catch (UserException e) {
            throw HttpError.badRequest(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int[] starts(String lengths, int rows) {
        String[] parts = lengths.split(",", -1);
        int[] starts = new int[parts.length + 1];
        long sum = 0;
        for (int i = 0; i < parts.length; i++) {
            if (!parts[i].matches("\\d{1,8}")) {
                throw HttpError.badRequest("lengths must be numbers of steps with commas between them, such as 3,5,4");
            }
            sum += Integer.parseInt(parts[i]);
            starts[i + 1] = (int) Math.min(sum, Integer.MAX_VALUE);
        }
        if (sum != rows) {
            throw HttpError.badRequest("lengths add up to " + sum + ", but the matrix has " + rows + " rows");
        }
        return starts;
    }
}
