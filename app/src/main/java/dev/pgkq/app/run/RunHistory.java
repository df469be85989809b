package dev.pgkq.app.run;

import dev.pgkq.text.Excerpt;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The history of a run according to {@code events.jsonl}: what computed it, and how it ended.
 *
 * @param setups the different environments in which it was started or resumed
 * @param state of the run
 * @param message why it failed; empty if it did not
 */
public record RunHistory(Set<Setup> setups, State state, String message) {
    private static final JsonMapper JSON = new JsonMapper();

    /**
     * The environment in which a run was computed.
     *
     * @param java version of Java
     * @param numerics what rounding depends on
     * @param simd which vector instructions were used
     */
    public record Setup(String java, String numerics, String simd) {}

    /** The state of a run. */
    public enum State {
        FINISHED("finished"),
        STOPPED("stopped on request"),
        BUDGET("stopped at its budget"),
        FAILED("failed"),
        /** A process that is killed cannot record its end. */
        OPEN("no end recorded: still running, or killed");

        private final String words;

        State(String words) {
            this.words = words;
        }

        /** The state in words. */
        public String words() {
            return words;
        }
    }

    public RunHistory {
        setups = Set.copyOf(setups);
    }

    /** Reads the events; lines that cannot be parsed and a missing file are ignored. */
    public static RunHistory read(Path file) {
        return of(Files.exists(file) ? Metrics.wholeLines(file) : List.of());
    }

    static RunHistory of(List<String> lines) {
        Set<Setup> setups = new LinkedHashSet<>();
        State state = State.OPEN;
        String message = "";
        boolean spent = false;
        for (String line : lines) {
            JsonNode event = parse(line);
            switch (event.path("event").asString("")) {
                case "started", "resumed" -> {
                    state = State.OPEN;
                    message = "";
                    spent = false;
                    setups.add(new Setup(text(event, "java"), text(event, "numerics"), text(event, "simd")));
                }
                case "finished" -> state = State.FINISHED;
                case "budget-reached" -> spent = true;
                case "stopped" -> state = spent ? State.BUDGET : State.STOPPED;
                case "failed" -> {
                    state = State.FAILED;
                    message = Excerpt.first(text(event, "message"));
                }
                default -> {}
            }
        }
        return new RunHistory(setups, state, message);
    }

    /** The state in words, with the reason of a failure. */
    public String words() {
        return message.isEmpty() ? state.words() : state.words() + ": " + message;
    }

    private static String text(JsonNode event, String field) {
        return event.path(field).asString("");
    }

    private static JsonNode parse(String line) {
        try {
            return JSON.readTree(line);
        } catch (JacksonException e) {
            return JSON.createObjectNode();
        }
    }
}
