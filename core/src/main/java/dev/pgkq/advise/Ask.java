package dev.pgkq.advise;

import dev.pgkq.select.Pace;

/**
 * How to choose items of a round.
 *
 * @param pace how many to score
 * @param round 1, 2, …; keys random numbers
 * @param known items whose scores were {@linkplain Adviser#learn learned} already; they are not chosen
 * @param kept items that are chosen in any case, and first; they count
 * @param excluded items that are not chosen
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Ask(Pace pace, int round, int[] known, int[] kept, int[] excluded) {
    private static final int[] NONE = {};

    /**
     * {@return a choice among all items}
     *
     * @param pace how many to score
     * @param round 1, 2, …; keys random numbers
     */
    public static Ask of(Pace pace, int round) {
        return new Ask(pace, round, NONE, NONE, NONE);
    }

    /**
     * {@return this with items whose scores are known}
     *
     * @param items their places
     */
    public Ask withKnown(int... items) {
        return new Ask(pace, round, items.clone(), kept, excluded);
    }

    /**
     * {@return this with items that are chosen in any case}
     *
     * @param items their places
     */
    public Ask withKept(int... items) {
        return new Ask(pace, round, known, items.clone(), excluded);
    }

    /**
     * {@return this with items that are not chosen}
     *
     * @param items their places
     */
    public Ask withExcluded(int... items) {
        return new Ask(pace, round, known, kept, items.clone());
    }
}
