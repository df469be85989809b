package dev.pgkq.advise;

import dev.pgkq.episode.Steps;
import dev.pgkq.text.Require;
import java.util.stream.IntStream;

/**
 * The items of a round: texts, designs, episodes. An item is one step or several, each described by numbers, its features. If it is
 * known what the reward of a step is multiplied by, for instance ∇ log π of its action projected to a few dimensions, that is its score
 * projection.
 */
public final class Items {
    private final Steps steps;
    private final float[] features;
    private final int width;
    private final float[] projections;
    private final int projectionWidth;

    /**
     * Creates items.
     *
     * @param starts the step at which each item starts, and one more entry: the number of all steps
     * @param features one row for each step
     * @param width numbers in a row
     * @param projections score projections, one row for each step; empty if they are not known
     * @param projectionWidth numbers in a row of them; 0 if they are not known
     * @throws IllegalArgumentException if there are no items, an item has no steps, rows are missing or a number is not finite
     */
    public Items(int[] starts, float[] features, int width, float[] projections, int projectionWidth) {
        Require.atLeast(1, "the number of features", width);
        Require.atLeast(0, "the number of score projections", projectionWidth);
        this.steps = new Steps(starts.clone(), features, new float[0], new float[0]);
        this.features = features;
        this.width = width;
        this.projections = projections;
        this.projectionWidth = projectionWidth;
        Require.that(steps.episodes() > 0, "there are no items");
        for (int item = 0; item < steps.episodes(); item++) {
            Require.that(steps.length(item) > 0, "item " + item + " has no steps");
        }
        requireRows("features", features, width);
        requireRows("score projections", projections, projectionWidth);
    }

    /**
     * {@return items of one step each}
     *
     * @param width numbers in a row
     * @param features one row for each item
     * @throws IllegalArgumentException if there are no items, rows are not whole or a number is not finite
     */
    public static Items points(int width, float... features) {
        Require.atLeast(1, "the number of features", width);
        Require.that(features.length % width == 0, features.length + " features are not whole rows of " + width);
        return new Items(IntStream.rangeClosed(0, features.length / width).toArray(), features, width, new float[0], 0);
    }

    private void requireRows(String what, float[] values, int ofRow) {
        long needed = (long) steps.size() * ofRow;
        Require.that(
                values.length == needed,
                "expected " + needed + " " + what + " for " + steps.size() + " steps of " + ofRow + " each, got "
                        + values.length);
        for (int i = 0; i < values.length; i++) {
            if (!Float.isFinite(values[i])) {
                int item = itemOf(i / ofRow);
                String step = steps.length(item) == 1 ? "" : ", step " + (i / ofRow - steps.start(item));
                throw new IllegalArgumentException("the " + what + " of item " + item + step
                        + " must be finite, but number " + i % ofRow + " is " + values[i]);
            }
        }
    }

    private int itemOf(int step) {
        int item = 0;
        while (steps.start(item + 1) <= step) {
            item++;
        }
        return item;
    }

    /** {@return N, the number of items} */
    public int size() {
        return steps.episodes();
    }

    /**
     * {@return the number of steps of an item}
     *
     * @param item its place, from 0
     */
    public int length(int item) {
        return steps.length(item);
    }

    /** {@return the step at which each item starts, and one more entry: the number of all steps; not a copy} */
    public int[] starts() {
        return steps.starts();
    }

    /** {@return the features, one row for each step; not a copy} */
    public float[] features() {
        return features;
    }

    /** {@return numbers in a row of features} */
    public int width() {
        return width;
    }

    /** {@return the score projections, one row for each step; empty if they are not known; not a copy} */
    public float[] projections() {
        return projections;
    }

    /** {@return numbers in a row of score projections; 0 if they are not known} */
    public int projectionWidth() {
        return projectionWidth;
    }

    Steps steps() {
        return steps;
    }
}
