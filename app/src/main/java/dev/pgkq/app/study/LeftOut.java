package dev.pgkq.app.study;

/**
 * A run that is not, or not fully, part of the numbers.
 *
 * @param run its name
 * @param why in words
 */
public record LeftOut(String run, String why) {}
