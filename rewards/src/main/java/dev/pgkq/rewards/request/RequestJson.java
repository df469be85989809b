package dev.pgkq.rewards.request;

import dev.pgkq.env.ActionSpace;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Recording;
import dev.pgkq.episode.Episode;
import java.io.ByteArrayOutputStream;
import java.util.Locale;
import java.util.function.IntConsumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a request as JSON. Every evaluator sends the same JSON; {@code docs/rewards.md} documents the schema. Equal requests
 * give equal bytes. JSON has neither NaN nor infinity, so such numbers are written as null.
 */
public final class RequestJson {
    /** Value of the key {@code schema}. */
    public static final String SCHEMA = "pgkq.reward.request/1";

    private static final JsonMapper JSON = new JsonMapper();

    private RequestJson() {}

    /**
     * One JSON object in UTF-8.
     *
     * @param run name of the requesting run
     */
    public static byte[] write(String run, Request request) {
        Episode episode = request.episode();
        EnvironmentSpec spec = request.spec();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringProperty("schema", SCHEMA);
            json.writeStringProperty("episode", request.episodeId(run));
            json.writeStringProperty("idempotencyKey", request.idempotencyKey());
            json.writeStringProperty("task", request.task());
            json.writeNumberProperty("iteration", request.iteration());
            json.writeNumberProperty("attempt", request.attempt());
            json.writeNumberProperty("length", episode.length());
            json.writeStringProperty("ending", episode.ending().name().toLowerCase(Locale.ROOT));
            float[] observations = episode.observations();
            table(json, "observations", episode.length(), spec.observationSize(), i -> write(json, observations[i]));
            float[] applied = applied(episode, spec);
            float[] actions = spec.actions() instanceof ActionSpace.Discrete ? applied : episode.actions();
            table(json, "actions", episode.length(), spec.actionSize(), i -> write(json, spec.actions(), actions[i]));
            table(
                    json,
                    "environmentActions",
                    episode.length(),
                    spec.actionSize(),
                    i -> write(json, spec.actions(), applied[i]));
            double[] states = episode.states();
            int hidden = spec.hiddenStates();
            int shown = spec.stateSize() - hidden;
            table(
                    json,
                    "states",
                    episode.length() + 1,
                    shown,
                    i -> write(json, states[i / shown * spec.stateSize() + hidden + i % shown]));
            write(json, request.recording());
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    /** What was not recorded has no key. */
    private static void write(JsonGenerator json, Recording recording) {
        if (!recording.infos().isEmpty()) {
            json.writeArrayPropertyStart("infos");
            recording.infos().forEach(json::writeRawValue);
            json.writeEndArray();
        }
        if (!recording.frames().isEmpty()) {
            json.writeArrayPropertyStart("frames");
            for (Recording.Frame frame : recording.frames()) {
                json.writeStartObject();
                json.writeNumberProperty("step", frame.step());
                json.writeBinaryProperty("png", frame.png());
                json.writeEndObject();
            }
            json.writeEndArray();
        }
    }

    /** The actions that the environment received: clipped and mapped to its range, or the numbers of categories. */
    private static float[] applied(Episode episode, EnvironmentSpec spec) {
        float[] one = new float[spec.actionSize()];
        float[] all = new float[episode.length() * one.length];
        for (int t = 0; t < episode.length(); t++) {
            spec.toEnvironment(episode.actions(), t * spec.encodedActionSize(), one);
            System.arraycopy(one, 0, all, t * one.length, one.length);
        }
        return all;
    }

    /** A category is a whole number. */
    private static void write(JsonGenerator json, ActionSpace actions, float value) {
        switch (actions) {
            case ActionSpace.Box box -> write(json, value);
            case ActionSpace.Discrete discrete -> json.writeNumber((int) value);
        }
    }

    private static void table(JsonGenerator json, String name, int rows, int columns, IntConsumer cell) {
        json.writeArrayPropertyStart(name);
        for (int row = 0; row < rows; row++) {
            json.writeStartArray();
            for (int column = 0; column < columns; column++) {
                cell.accept(row * columns + column);
            }
            json.writeEndArray();
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, float value) {
        if (Float.isFinite(value)) {
            json.writeNumber(value);
        } else {
            json.writeNull();
        }
    }

    private static void write(JsonGenerator json, double value) {
        if (Double.isFinite(value)) {
            json.writeNumber(value);
        } else {
            json.writeNull();
        }
    }
}
