package dev.pgkq.advise;

import dev.pgkq.reward.Grain;
import dev.pgkq.select.Pace;
import dev.pgkq.text.Require;

/**
 * Settings of an adviser.
 *
 * @param width numbers that describe a step
 * @param grain whether an item has one score, or each of its steps has one
 * @param pace how many items to score in a round; {@link #auto} decides by what is known
 * @param seed determines the features of the model and random numbers
 */
public record AdviserSettings(int width, Grain grain, Pace pace, long seed) {
    /** With {@link #auto}, at most one of so many items is scored in a round. */
    public static final int AUTO_SHARE = 8;

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if an item is described by less than one number
     */
    public AdviserSettings {
        Require.atLeast(1, "the number of features", width);
    }

    /**
     * {@return settings with one score for an item, and as many items to score as what is known calls for}
     *
     * @param width numbers that describe a step
     */
    public static AdviserSettings of(int width) {
        return new AdviserSettings(width, Grain.EPISODE, auto(Integer.MAX_VALUE), 1);
    }

    /**
     * {@return a pace that asks for scores until the expected squared error is at most a tenth of the differences between items, at most for
     * an eighth of the items, and now and then for one in any case}
     *
     * @param most the most items of a round
     */
    public static Pace auto(int most) {
        return new Pace.Auto(most, 0);
    }

    /**
     * {@return these settings with another pace}
     *
     * @param other how many items to score in a round
     */
    public AdviserSettings withPace(Pace other) {
        return new AdviserSettings(width, grain, other, seed);
    }

    /**
     * {@return these settings with another grain}
     *
     * @param other whether an item has one score, or each of its steps has one
     */
    public AdviserSettings withGrain(Grain other) {
        return new AdviserSettings(width, other, pace, seed);
    }

    /**
     * {@return these settings with another seed}
     *
     * @param other determines the features of the model and random numbers
     */
    public AdviserSettings withSeed(long other) {
        return new AdviserSettings(width, grain, pace, other);
    }
}
