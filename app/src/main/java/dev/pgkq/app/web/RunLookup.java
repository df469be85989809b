package dev.pgkq.app.web;

import io.javalin.http.Context;

/** Finds the run that a request is about. */
@FunctionalInterface
public interface RunLookup {
    /** @throws HttpTrouble if there is none like the path's {@code {run}} */
    ServedRun of(Context request);
}
