package dev.pgkq.app.web;

import dev.pgkq.app.run.RunDirectory;

/**
 * A run that is shown.
 *
 * @param id what addresses call it; made from its place, and never turned back into a path
 * @param name how a person would find it: its folder, from the folder that is served
 */
public record ServedRun(String id, String name, RunDirectory directory) {}
