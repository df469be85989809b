package dev.pgkq.rewards.oracle;

import java.util.OptionalDouble;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/** Reads what an oracle says about the cost of a call that it could not answer, from whatever text it left. */
final class ErrorAnswer {
    private static final JsonMapper JSON = new JsonMapper();

    private ErrorAnswer() {}

    /** The number under the key {@code cost}; empty if the text is not a JSON object that states a valid cost. */
    static OptionalDouble cost(byte[] text) {
        try (JsonParser parser = JSON.createParser(text)) {
            OptionalDouble cost = OptionalDouble.empty();
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return cost;
            }
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                JsonToken value = parser.nextToken();
                boolean isNumber = value == JsonToken.VALUE_NUMBER_INT || value == JsonToken.VALUE_NUMBER_FLOAT;
                if (name.equals("cost") && isNumber) {
                    cost = OptionalDouble.of(parser.getDoubleValue());
                } else {
                    parser.skipChildren();
                }
            }
            return cost.stream()
                    .filter(price -> price >= 0 && price < Double.POSITIVE_INFINITY)
                    .findFirst();
        } catch (JacksonException e) {
            return OptionalDouble.empty();
        }
    }
}
