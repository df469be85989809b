package dev.pgkq.app.web;

import io.javalin.config.RoutesConfig;
import java.util.Optional;

/** More that can be asked and told about runs: rating, for instance. */
public interface RunExtension {
    /** Adds routes below {@code /api/runs/{run}/}; {@link RunLookup#of} tells which run a request is about. */
    void addTo(RoutesConfig routes, RunLookup runs);

    /** The name of the events that viewers of a run get. */
    default String event() {
        return "";
    }

    /**
     * What viewers are told, as the text of a JSON object; it is sent when it changes. Asked about once a second for every run
     * that is looked at, by one thread for all: it must not take long.
     */
    default Optional<String> news(ServedRun run) {
        return Optional.empty();
    }
}
