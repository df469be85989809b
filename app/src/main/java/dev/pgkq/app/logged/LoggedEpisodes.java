package dev.pgkq.app.logged;

import dev.pgkq.env.ActionSpace;
import dev.pgkq.episode.Steps;
import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Logged episodes, without those that have no steps, since there is nothing to score.
 *
 * @param indices indices of the episodes in the file, from 0
 * @param empty indices of the episodes without steps
 * @param steps observations and actions; the probabilities of the actions are unknown
 * @param observationSize numbers per observation
 * @param actionSize numbers per action
 * @param ids ids of the episodes in the file; empty if there are none
 */
@SuppressWarnings("ArrayRecordComponent")
public record LoggedEpisodes(
        int[] indices, int[] empty, Steps steps, int observationSize, int actionSize, List<String> ids) {
    /** Maximum number of values in a file: half a gigabyte. */
    static final int MAX_VALUES = 1 << 27;
    /** Maximum number of episodes; their kernel takes 3 GB. */
    static final int MAX_EPISODES = 20_000;

    /**
     * The content of a file.
     *
     * @param lengths lengths of all episodes
     * @param observations observations of all steps, row by row
     * @param actions actions of all steps, row by row
     * @param ids ids of all episodes
     * @throws UserException if there are no episodes or too many, or if a number is not finite
     */
    static LoggedEpisodes of(
            Path file,
            int[] lengths,
            int observationSize,
            float[] observations,
            int actionSize,
            float[] actions,
            List<String> ids) {
        if (lengths.length == 0) {
            throw new UserException(file + " has no episodes");
        }
        List<Integer> indices = new ArrayList<>();
        List<Integer> empty = new ArrayList<>();
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] == 0) {
                empty.add(i);
            } else {
                indices.add(i);
                kept.add(ids.get(i));
            }
        }
        if (indices.isEmpty()) {
            throw new UserException(file + " has only episodes without steps (" + lengths.length + ")");
        }
        if (indices.size() > MAX_EPISODES) {
            throw new UserException(file + " has " + indices.size() + " episodes, more than the maximum of "
                    + MAX_EPISODES + "; use fewer");
        }
        int[] starts = new int[indices.size() + 1];
        for (int i = 0; i < indices.size(); i++) {
            starts[i + 1] = starts[i] + lengths[indices.get(i)];
        }
        LoggedEpisodes episodes = new LoggedEpisodes(
                ints(indices),
                ints(empty),
                Steps.logged(starts, observations, actions),
                observationSize,
                actionSize,
                kept);
        episodes.requireFinite(file, "observations", observations, observationSize);
        episodes.requireFinite(file, "actions", actions, actionSize);
        return episodes;
    }

    private static int[] ints(List<Integer> values) {
        return values.stream().mapToInt(Integer::intValue).toArray();
    }

    private void requireFinite(Path file, String what, float[] values, int columns) {
        for (int i = 0; i < values.length; i++) {
            if (!Float.isFinite(values[i])) {
                throw new UserException(file + ": " + what + " of " + describeStep(i / columns) + " contain "
                        + values[i] + " at index " + i % columns + "; values must be finite 32-bit numbers");
            }
        }
    }

    /** Describes the position of a step in the file. */
    String describeStep(int step) {
        int i = 0;
        while (steps.starts()[i + 1] <= step) {
            i++;
        }
        return "episode " + indices[i] + ", step " + (step - steps.start(i));
    }

    /**
     * The same episodes with one-hot actions.
     *
     * @param space the categories of which the actions are the numbers
     * @throws UserException if an action is not the number of a category, or one-hot actions are too many values
     */
    LoggedEpisodes encoded(ActionSpace.Discrete space) {
        int size = space.encodedSize();
        if ((long) steps.size() * (observationSize + size) > MAX_VALUES) {
            throw new UserException("the episodes have " + steps.size() + " steps of " + size
                    + " categories, more values than the maximum of " + MAX_VALUES + "; use fewer");
        }
        float[] actions = new float[steps.size() * size];
        for (int step = 0; step < steps.size(); step++) {
            try {
                space.encode(steps.actions(), step * actionSize, actions, step * size);
            } catch (IllegalArgumentException e) {
                throw new UserException(describeStep(step) + ": " + e.getMessage(), e);
            }
        }
        return new LoggedEpisodes(
                indices,
                empty,
                Steps.logged(steps.starts(), steps.observations(), actions),
                observationSize,
                size,
                ids);
    }

    public int count() {
        return indices.length;
    }
}
