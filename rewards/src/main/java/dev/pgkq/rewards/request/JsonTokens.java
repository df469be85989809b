package dev.pgkq.rewards.request;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Describes JSON tokens in error messages, in words that do not require knowing the grammar of JSON. */
public final class JsonTokens {
    private JsonTokens() {}

    /** A noun with its article, such as "a number"; "nothing" at the end of the input. */
    public static String described(@Nullable JsonToken token) {
        return switch (token) {
            case null -> "nothing";
            case START_OBJECT -> "an object";
            case START_ARRAY -> "a list";
            case VALUE_STRING -> "a text";
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
            case VALUE_TRUE, VALUE_FALSE -> "true or false";
            case VALUE_NULL -> "null";
            default -> "something else";
        };
    }
}
