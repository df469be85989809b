package dev.pgkq.app.web;

import dev.pgkq.app.run.RunDirectory;

/**
 * A run in the served folder.
 *
 * @param id identifies the run in URLs; derived from its path and never converted back into a path
 * @param name its path relative to the served folder, for display
 */
public record ServedRun(String id, String name, RunDirectory directory) {}
