package dev.pgkq.app.study;

/**
 * A run that is excluded from the study.
 *
 * @param run its name
 * @param reason why it is excluded, for people
 */
public record ExcludedRun(String run, String reason) {}
