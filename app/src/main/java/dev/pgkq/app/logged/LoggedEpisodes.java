package dev.pgkq.app.logged;

import dev.pgkq.episode.Steps;
import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Episodes that somebody logged. Those without a step are not among them: there is nothing to score.
 *
 * @param places of the episodes in the file, from 0
 * @param empty places of those without a step
 * @param steps states and actions; how likely an action was is not known
 * @param observationSize numbers of a state
 * @param actionSize numbers of an action
 * @param ids what the file calls the episodes; empty texts where it does not
 */
@SuppressWarnings("ArrayRecordComponent")
public record LoggedEpisodes(
        int[] places, int[] empty, Steps steps, int observationSize, int actionSize, List<String> ids) {
    /** Numbers in a file: half a gigabyte of them. */
    static final int MOST_VALUES = 1 << 27;
    /** The kernel between so many takes 3 GB. */
    static final int MOST_EPISODES = 20_000;

    /**
     * What a file holds.
     *
     * @param lengths of all episodes
     * @param observations of all steps, row by row
     * @param actions of all steps, row by row
     * @param ids of all episodes
     * @throws UserException if there are none, too many, or a number is not finite
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
        List<Integer> places = new ArrayList<>();
        List<Integer> empty = new ArrayList<>();
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] == 0) {
                empty.add(i);
            } else {
                places.add(i);
                kept.add(ids.get(i));
            }
        }
        if (places.isEmpty()) {
            throw new UserException(file + " has no episode with a step: " + lengths.length + " are empty");
        }
        if (places.size() > MOST_EPISODES) {
            throw new UserException(file + " has " + places.size() + " episodes, and a choice is made among "
                    + MOST_EPISODES + " at most: take a part of them");
        }
        int[] starts = new int[places.size() + 1];
        for (int i = 0; i < places.size(); i++) {
            starts[i + 1] = starts[i] + lengths[places.get(i)];
        }
        LoggedEpisodes episodes = new LoggedEpisodes(
                ints(places),
                ints(empty),
                new Steps(starts, observations, actions, new float[0]),
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
                throw new UserException(file + ": " + what + " of " + describe(i / columns) + " have " + values[i]
                        + " in place " + i % columns + ", and must be finite numbers of 32 bits: mend or remove it");
            }
        }
    }

    /** A step in words, as somebody finds it in the file. */
    String describe(int step) {
        int i = 0;
        while (steps.starts()[i + 1] <= step) {
            i++;
        }
        return "episode " + places[i] + ", step " + (step - steps.start(i));
    }

    public int count() {
        return places.length;
    }
}
