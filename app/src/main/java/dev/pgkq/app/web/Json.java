package dev.pgkq.app.web;

import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON in and out. Names from disk and what people write are only ever values in it. */
public final class Json {
    private static final JsonMapper MAPPER = new JsonMapper();
    /** Whole numbers up to here are doubles without loss, and are written without a point. */
    private static final double WHOLE = 1L << 53;

    private Json() {}

    public static String write(Object value) {
        return MAPPER.writeValueAsString(value);
    }

    public static String error(String message) {
        return write(Map.of("error", message));
    }

    /** @throws HttpError if it is not a JSON object */
    public static JsonNode object(String text) {
        try {
            JsonNode node = MAPPER.readTree(text);
            if (node.isObject()) {
                return node;
            }
        } catch (JacksonException e) {
            // told below: what a client sent is of no use to it
        }
        throw HttpError.badRequest("the body of the request must be a JSON object");
    }

    /** A line that some program wrote; nothing if it is not an object. */
    static JsonNode lenient(String text) {
        try {
            JsonNode node = MAPPER.readTree(text);
            return node.isObject() ? node : MAPPER.createObjectNode();
        } catch (JacksonException e) {
            return MAPPER.createObjectNode();
        }
    }

    /** A number as JSON has it; what is not finite is null. */
    static void number(StringBuilder into, double value) {
        if (!Double.isFinite(value)) {
            into.append("null");
        } else if (value == Math.rint(value) && Math.abs(value) < WHOLE) {
            into.append((long) value);
        } else {
            into.append(value);
        }
    }
}
