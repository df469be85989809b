package dev.pgkq.app.web;

import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes JSON. Names from disk and text from users only ever appear as values. */
public final class Json {
    private static final JsonMapper MAPPER = new JsonMapper();
    /** Integers up to here are exact as doubles, and are written without a decimal point. */
    private static final double MAX_INTEGER = 1L << 53;

    private Json() {}

    public static String write(Object value) {
        return MAPPER.writeValueAsString(value);
    }

    public static String error(String message) {
        return write(Map.of("error", message));
    }

    /** @throws HttpError if the text is not a JSON object */
    public static JsonNode object(String text) {
        try {
            JsonNode node = MAPPER.readTree(text);
            if (node.isObject()) {
                return node;
            }
        } catch (JacksonException e) {
            // reported below, without echoing the client's text
        }
        throw HttpError.badRequest("the request body must be a JSON object");
    }

    /**
     * The text of a file, to be sent as it is.
     *
     * @throws UserException if it is not JSON
     */
    static String checked(Path file, String text) {
        try (JsonParser parser = MAPPER.createParser(text)) {
            if (parser.nextToken() != null) {
                parser.skipChildren();
                if (parser.nextToken() == null) {
                    return text;
                }
            }
        } catch (JacksonException e) {
            // reported below
        }
        throw new UserException(file + " is damaged: it is not JSON");
    }

    /** Parses a line of a file; an empty object if it is not a JSON object. */
    static JsonNode objectOrEmpty(String text) {
        try {
            JsonNode node = MAPPER.readTree(text);
            return node.isObject() ? node : MAPPER.createObjectNode();
        } catch (JacksonException e) {
            return MAPPER.createObjectNode();
        }
    }

    /** Appends a number as JSON; null if it is not finite. */
    static void number(StringBuilder into, double value) {
        if (!Double.isFinite(value)) {
            into.append("null");
        } else if (value == Math.rint(value) && Math.abs(value) < MAX_INTEGER) {
            into.append((long) value);
        } else {
            into.append(value);
        }
    }
}
