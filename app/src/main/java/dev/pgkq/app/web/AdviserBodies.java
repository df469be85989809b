package dev.pgkq.app.web;

import dev.pgkq.advise.AdviserSettings;
import dev.pgkq.rewards.advise.Score;
import dev.pgkq.select.Pace;
import dev.pgkq.text.Excerpt;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** Reads the bodies of requests to an adviser, except for features ({@link QuestionReader}). */
final class AdviserBodies {
    static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            // not valid JSON, but Python writes NaN like this; accepting it allows a precise message
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    /** Reads a value that something follows. */
    static final ObjectReader PART = JSON.reader().without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private AdviserBodies() {}

    /**
     * Scores to tell.
     *
     * @param byId scores by the identifiers of items; empty if they are in order
     * @param inOrder scores in the order of the choice, empty where one is missing; empty if they have identifiers
     * @param estimates whether estimates are wanted while scores are missing
     */
    record Scores(Optional<Map<String, Score>> byId, List<Optional<Score>> inOrder, boolean estimates) {}

    /** Items to give up. */
    record Abandonment(List<String> ids, boolean free, boolean replace) {}

    /** A round to be scored again. */
    record Rescoring(String judge, Optional<Pace> pace, Optional<String> request) {}

    static Scores scores(String text) {
        JsonNode body = object(text, Set.of("scores", "estimates"));
        JsonNode scores = body.path("scores");
        boolean estimates = flag(body, "estimates", true);
        if (scores.isObject()) {
            Map<String, Score> byId = new LinkedHashMap<>();
            scores.properties().forEach(entry -> byId.put(entry.getKey(), score(entry.getKey(), entry.getValue())));
            return new Scores(Optional.of(byId), List.of(), estimates);
        }
        if (!scores.isArray()) {
            throw HttpError.badRequest("\"scores\" must be an object, from ids to scores, or a list in the order of the"
                    + " round's indices");
        }
        List<Optional<Score>> inOrder = new ArrayList<>();
        for (JsonNode each : scores) {
            inOrder.add(each.isNull() ? Optional.empty() : Optional.of(score("number " + inOrder.size(), each)));
        }
        return new Scores(Optional.empty(), inOrder, estimates);
    }

    /** A number, a list of numbers, or an object that has one of these as its score. */
    static Score score(String id, JsonNode node) {
        if (!node.isObject()) {
            return new Score(numbers(id, node), OptionalDouble.empty());
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            if (!Set.of("score", "cost").contains(field.getKey())) {
                throw HttpError.badRequest("the score of '" + Excerpt.brief(id) + "' has the unknown field '"
                        + Excerpt.brief(field.getKey()) + "'; there are score and cost");
            }
        }
        JsonNode cost = node.path("cost");
        if (!cost.isMissingNode() && !cost.isNull() && !cost.isNumber()) {
            throw HttpError.badRequest("the cost of '" + Excerpt.brief(id) + "' must be a number");
        }
        return new Score(
                numbers(id, node.path("score")),
                cost.isNumber() ? OptionalDouble.of(cost.doubleValue()) : OptionalDouble.empty());
    }

    private static double[] numbers(String id, JsonNode node) {
        List<JsonNode> nodes = new ArrayList<>();
        if (node.isArray()) {
            node.forEach(nodes::add);
        } else {
            nodes.add(node);
        }
        double[] values = new double[nodes.size()];
        for (int i = 0; i < values.length; i++) {
            if (!nodes.get(i).isNumber()) {
                throw HttpError.badRequest("the score of '" + Excerpt.brief(id)
                        + "' must be a number, a list of numbers, or {\"score\": …, \"cost\": …}");
            }
            values[i] = nodes.get(i).doubleValue();
        }
        return values;
    }

    static Abandonment abandonment(String text) {
        JsonNode body = object(text, Set.of("ids", "free", "replace"));
        JsonNode ids = body.path("ids");
        List<String> texts = new ArrayList<>();
        if (!ids.isArray()) {
            throw HttpError.badRequest("\"ids\" must be a list of the ids of items to abandon");
        }
        for (JsonNode id : ids) {
            if (!id.isString()) {
                throw HttpError.badRequest("\"ids\" must have texts only");
            }
            texts.add(id.stringValue());
        }
        return new Abandonment(texts, flag(body, "free", false), flag(body, "replace", false));
    }

    static Rescoring rescoring(String text) {
        JsonNode body = object(text, Set.of("judge", "select", "request"));
        if (!body.path("judge").isString()) {
            throw HttpError.badRequest("\"judge\" must be the name of another judge");
        }
        JsonNode select = body.path("select");
        JsonNode request = body.path("request");
        if (!request.isMissingNode() && !request.isString()) {
            throw HttpError.badRequest("\"request\" must be a text");
        }
        return new Rescoring(
                body.path("judge").stringValue(),
                select.isMissingNode() || select.isNull() ? Optional.empty() : Optional.of(pace(select)),
                request.isString() ? Optional.of(request.stringValue()) : Optional.empty());
    }

    private static Pace pace(JsonNode select) {
        if (select.isString()) {
            return pace(select.stringValue());
        }
        if (select.isIntegralNumber() && select.canConvertToInt()) {
            return pace(Integer.toString(select.intValue()));
        }
        throw noPace();
    }

    /** A number of items, or "auto". */
    static Pace pace(String select) {
        if (select.equals("auto")) {
            return AdviserSettings.auto(Integer.MAX_VALUE);
        }
        try {
            int count = Integer.parseInt(select);
            if (count >= 0) {
                return count == 0 ? AdviserSettings.auto(0) : new Pace.Fixed(count);
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw noPace();
    }

    static HttpError noPace() {
        return HttpError.badRequest("\"select\" must be a number of items from 0, or \"auto\"");
    }

    private static boolean flag(JsonNode body, String name, boolean otherwise) {
        JsonNode value = body.path(name);
        if (value.isMissingNode()) {
            return otherwise;
        }
        if (!value.isBoolean()) {
            throw HttpError.badRequest("\"" + name + "\" must be true or false");
        }
        return value.booleanValue();
    }

    private static JsonNode object(String text, Set<String> fields) {
        JsonNode body;
        try {
            body = JSON.readTree(text);
        } catch (JacksonException e) {
            throw malformed(e);
        }
        if (!body.isObject()) {
            throw HttpError.badRequest("the body must be a JSON object");
        }
        for (Map.Entry<String, JsonNode> field : body.properties()) {
            if (!fields.contains(field.getKey())) {
                throw unknownField(field.getKey(), fields);
            }
        }
        return body;
    }

    static HttpError unknownField(String name, Set<String> known) {
        return HttpError.badRequest("unknown field '" + Excerpt.brief(name) + "'; there are "
                + String.join(", ", known.stream().sorted().toList()));
    }

    static HttpError malformed(JacksonException e) {
        var location = e.getLocation();
        String where = location == null || location.getLineNr() < 1
                ? ""
                : " in line " + location.getLineNr() + ", column " + location.getColumnNr();
        // the rest is about the library's settings
        String reason = e.getOriginalMessage().replaceFirst("(?s) ?\\(.*", "");
        return HttpError.badRequest(
                "the body cannot be read as JSON" + where + ": " + Excerpt.brief(Excerpt.first(reason)));
    }
}
