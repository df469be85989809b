package dev.pgkq.app.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Validates JSON against the part of JSON Schema that our description of the adviser uses. A keyword that it does not know is an
 * error, so that nothing in the description goes unchecked.
 */
final class JsonSchema {
    private static final Set<String> COMMENTS = Set.of("description", "contentMediaType");

    private final JsonNode document;

    /** @param document what references start from */
    JsonSchema(JsonNode document) {
        this.document = document;
    }

    /** Every way in which a value differs from a schema; empty if it fits. */
    List<String> problems(JsonNode schema, JsonNode value) {
        List<String> problems = new ArrayList<>();
        check(schema, value, "$", problems);
        return problems;
    }

    private void check(JsonNode schema, JsonNode value, String where, List<String> problems) {
        for (Map.Entry<String, JsonNode> rule : schema.properties()) {
            JsonNode limit = rule.getValue();
            switch (rule.getKey()) {
                case "$ref" -> check(referenced(limit.asString()), value, where, problems);
                case "type" -> require(isOfType(limit, value), where + " is no " + limit, problems);
                case "enum" -> require(contains(limit, value), where + " is not one of " + limit, problems);
                case "minimum" ->
                    require(
                            !value.isNumber() || value.asDouble() >= limit.asDouble(),
                            where + " is below " + limit,
                            problems);
                case "maximum" ->
                    require(
                            !value.isNumber() || value.asDouble() <= limit.asDouble(),
                            where + " is above " + limit,
                            problems);
                case "minItems" ->
                    require(
                            !value.isArray() || value.size() >= limit.asInt(),
                            where + " has fewer than " + limit,
                            problems);
                case "items" -> {
                    for (int i = 0; value.isArray() && i < value.size(); i++) {
                        check(limit, value.get(i), where + "[" + i + "]", problems);
                    }
                }
                case "required" ->
                    limit.forEach(name -> require(
                            !value.isObject() || value.has(name.asString()), where + " has no " + name, problems));
                case "properties", "additionalProperties" -> {}
                case "oneOf" -> {
                    int fitting = 0;
                    for (JsonNode each : limit) {
                        fitting += problems(each, value).isEmpty() ? 1 : 0;
                    }
                    require(fitting == 1, where + " fits " + fitting + " of " + limit.size(), problems);
                }
                default -> require(COMMENTS.contains(rule.getKey()), "unknown keyword " + rule.getKey(), problems);
            }
        }
        if (value.isObject()) {
            checkFields(schema, value, where, problems);
        }
    }

    private void checkFields(JsonNode schema, JsonNode value, String where, List<String> problems) {
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            String place = where + "." + field.getKey();
            JsonNode known = schema.path("properties").path(field.getKey());
            JsonNode others = schema.path("additionalProperties");
            if (!known.isMissingNode()) {
                check(known, field.getValue(), place, problems);
            } else if (others.isObject()) {
                check(others, field.getValue(), place, problems);
            } else {
                require(!others.isBoolean() || others.asBoolean(), place + " is unknown", problems);
            }
        }
    }

    private static void require(boolean condition, String problem, List<String> problems) {
        if (!condition) {
            problems.add(problem);
        }
    }

    /** What a reference such as {@code #/components/schemas/Choice} leads to. */
    JsonNode referenced(String reference) {
        JsonNode found = document.at(reference.substring(1));
        if (!reference.startsWith("#/") || found.isMissingNode()) {
            throw new AssertionError("nothing is at " + reference);
        }
        return found;
    }

    private static boolean contains(JsonNode values, JsonNode value) {
        for (JsonNode each : values) {
            if (each.equals(value)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfType(JsonNode types, JsonNode value) {
        if (types.isArray()) {
            for (JsonNode each : types) {
                if (isOfType(each, value)) {
                    return true;
                }
            }
            return false;
        }
        return switch (types.asString()) {
            case "null" -> value.isNull();
            case "boolean" -> value.isBoolean();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "string" -> value.isString();
            case "array" -> value.isArray();
            case "object" -> value.isObject();
            default -> throw new AssertionError("unknown type " + types);
        };
    }
}
