package dev.pgkq.advise;

/**
 * The score of an item.
 *
 * @param item its place in the round
 * @param values the score, or the score of each step
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Told(int item, double... values) {}
