package dev.pgkq.episode;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The steps of several episodes laid end to end.
 *
 * @param starts the row at which each episode starts, and one more entry: the row after the last episode
 * @param observations one row for each step
 * @param actions the policy's actions, encoded and not clipped, one row for each step
 * @param logProbs log π(a|s) of each step under the policy that sampled it; empty if it is not known
 * @param cuts the episodes that a time limit cut off
 */
public record Steps(int[] starts, float[] observations, float[] actions, float[] logProbs, Cuts cuts)
        implements Serializable {
    /**
     * The episodes that a time limit cut off, and what would have followed.
     *
     * @param episodes positions of the truncated episodes, ascending
     * @param observations the observation after the last step of each, one row for each; empty if one of them is not known
     */
    public record Cuts(int[] episodes, float[] observations) implements Serializable {
        /** No episode was truncated. */
        public static final Cuts NONE = new Cuts(new int[0], new float[0]);

        /**
         * {@return the observation after the last step of an episode; empty if it was not truncated or that is not known}
         *
         * @param episode position of the episode
         */
        public float[] observation(int episode) {
            int cut = Arrays.binarySearch(episodes, episode);
            int width = episodes.length == 0 ? 0 : observations.length / episodes.length;
            return cut < 0 ? new float[0] : Arrays.copyOfRange(observations, cut * width, (cut + 1) * width);
        }
    }

    /**
     * Checks where episodes start.
     *
     * @throws IllegalArgumentException if the starts do not ascend from 0
     */
    public Steps {
        if (starts.length == 0 || starts[0] != 0) {
            throw new IllegalArgumentException("the first episode must start at row 0");
        }
        for (int e = 1; e < starts.length; e++) {
            if (starts[e] < starts[e - 1]) {
                throw new IllegalArgumentException(
                        "starts must ascend, but " + starts[e] + " follows " + starts[e - 1]);
            }
        }
    }

    /**
     * Creates the steps of episodes none of which was truncated.
     *
     * @param starts the row at which each episode starts, and one more entry: the row after the last episode
     * @param observations one row for each step
     * @param actions the policy's actions, encoded and not clipped, one row for each step
     * @param logProbs log π(a|s) of each step under the policy that sampled it; empty if it is not known
     * @throws IllegalArgumentException if the starts do not ascend from 0
     */
    public Steps(int[] starts, float[] observations, float[] actions, float[] logProbs) {
        this(starts, observations, actions, logProbs, Cuts.NONE);
    }

    /**
     * {@return steps that were logged elsewhere, whose probabilities are not known}
     *
     * @param starts the row at which each episode starts, and one more entry: the row after the last episode
     * @param observations one row for each step
     * @param actions one row for each step
     * @throws IllegalArgumentException if the starts do not ascend from 0, or the values are not whole rows
     */
    public static Steps logged(int[] starts, float[] observations, float[] actions) {
        Steps steps = new Steps(starts, observations, actions, new float[0]);
        requireRows("observations", observations, steps.size());
        requireRows("actions", actions, steps.size());
        return steps;
    }

    private static void requireRows(String what, float[] values, int rows) {
        if (rows == 0 ? values.length > 0 : values.length % rows != 0) {
            throw new IllegalArgumentException(what + " should have one row for each of " + rows + " steps, but have "
                    + values.length + " values");
        }
    }

    /**
     * {@return the steps of all parts, one part after another}
     *
     * @param parts steps of the same observation and action sizes
     * @throws ArithmeticException if they have more values than fit into one array
     */
    public static Steps joined(List<Steps> parts) {
        int[] starts = new int[1 + parts.stream().mapToInt(Steps::episodes).sum()];
        float[] observations = new float
                [Math.toIntExact(parts.stream()
                        .mapToLong(part -> part.observations.length)
                        .sum())];
        float[] actions = new float
                [Math.toIntExact(
                        parts.stream().mapToLong(part -> part.actions.length).sum())];
        float[] logProbs =
                new float[Math.toIntExact(parts.stream().mapToLong(Steps::size).sum())];
        int episode = 0;
        int observationAt = 0;
        int actionAt = 0;
        int row = 0;
        for (Steps part : parts) {
            for (int e = 1; e < part.starts.length; e++) {
                starts[++episode] = row + part.starts[e];
            }
            System.arraycopy(part.observations, 0, observations, observationAt, part.observations.length);
            System.arraycopy(part.actions, 0, actions, actionAt, part.actions.length);
            System.arraycopy(part.logProbs, 0, logProbs, row, part.size());
            observationAt += part.observations.length;
            actionAt += part.actions.length;
            row += part.size();
        }
        return new Steps(starts, observations, actions, logProbs, joinedCuts(parts));
    }

    private static Cuts joinedCuts(List<Steps> parts) {
        int[] episodes = new int
                [parts.stream().mapToInt(part -> part.cuts.episodes.length).sum()];
        List<float[]> observations = new ArrayList<>();
        int at = 0;
        int first = 0;
        for (Steps part : parts) {
            for (int episode : part.cuts.episodes) {
                episodes[at++] = first + episode;
            }
            if (part.cuts.episodes.length > 0) {
                observations.add(part.cuts.observations);
            }
            first += part.episodes();
        }
        return new Cuts(episodes, allKnown(observations));
    }

    /** Concatenates observations; empty if one is missing. */
    private static float[] allKnown(List<float[]> parts) {
        int known = parts.stream().anyMatch(part -> part.length == 0)
                ? 0
                : parts.stream().mapToInt(part -> part.length).sum();
        float[] all = new float[known];
        int at = 0;
        for (float[] part : known > 0 ? parts : List.<float[]>of()) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    /**
     * {@return the steps of these episodes, one episode after another}
     *
     * @param episodes episodes of the same task
     * @throws ArithmeticException if they have more values than fit into one array
     */
    public static Steps of(List<Episode> episodes) {
        int[] starts = new int[episodes.size() + 1];
        int observationValues = 0;
        int actionValues = 0;
        for (int i = 0; i < episodes.size(); i++) {
            Episode episode = episodes.get(i);
            starts[i + 1] = starts[i] + episode.length();
            observationValues = Math.addExact(observationValues, episode.observations().length);
            actionValues = Math.addExact(actionValues, episode.actions().length);
        }
        float[] observations = new float[observationValues];
        float[] actions = new float[actionValues];
        float[] logProbs = new float[starts[episodes.size()]];
        int observationAt = 0;
        int actionAt = 0;
        for (int i = 0; i < episodes.size(); i++) {
            Episode episode = episodes.get(i);
            System.arraycopy(episode.observations(), 0, observations, observationAt, episode.observations().length);
            System.arraycopy(episode.actions(), 0, actions, actionAt, episode.actions().length);
            System.arraycopy(episode.logProbs(), 0, logProbs, starts[i], episode.length());
            observationAt += episode.observations().length;
            actionAt += episode.actions().length;
        }
        int[] truncated = IntStream.range(0, episodes.size())
                .filter(i -> episodes.get(i).ending() == Ending.TRUNCATED)
                .toArray();
        Cuts cuts = new Cuts(
                truncated,
                allKnown(Arrays.stream(truncated)
                        .mapToObj(i -> episodes.get(i).finalObservation())
                        .toList()));
        return new Steps(starts, observations, actions, logProbs, cuts);
    }

    /** {@return the number of steps of all episodes} */
    public int size() {
        return starts[starts.length - 1];
    }

    /**
     * {@return the row at which an episode starts}
     *
     * @param episode position of the episode, from 0; {@link #episodes} gives the row after the last episode
     */
    public int start(int episode) {
        return starts[episode];
    }

    /** {@return the number of episodes} */
    public int episodes() {
        return starts.length - 1;
    }

    /**
     * {@return the number of steps of an episode}
     *
     * @param episode position of the episode, 0 … {@link #episodes} − 1
     */
    public int length(int episode) {
        return starts[episode + 1] - starts[episode];
    }

    /**
     * {@return (s, a, s' − s, e) of every step, row by row: its observation, its encoded action, the change to the next observation, and
     * whether the episode ended here by itself, 1 or 0}. The change is 0 where the next observation is not known, as after an episode
     * that ended by itself.
     */
    public float[] transitions() {
        int ofState = size() == 0 ? 0 : observations.length / size();
        int ofAction = size() == 0 ? 0 : actions.length / size();
        int width = 2 * ofState + ofAction + 1;
        float[] rows = new float[Math.multiplyExact(size(), width)];
        for (int episode = 0; episode < episodes(); episode++) {
            boolean isCut = Arrays.binarySearch(cuts.episodes, episode) >= 0;
            float[] last = cuts.observation(episode);
            for (int i = start(episode); i < start(episode + 1); i++) {
                boolean isLast = i + 1 == start(episode + 1);
                int at = i * width;
                System.arraycopy(observations, i * ofState, rows, at, ofState);
                System.arraycopy(actions, i * ofAction, rows, at + ofState, ofAction);
                float[] next = isLast ? last : observations;
                int from = isLast ? 0 : (i + 1) * ofState;
                for (int k = 0; k < ofState && next.length > 0; k++) {
                    rows[at + ofState + ofAction + k] = next[from + k] - observations[i * ofState + k];
                }
                rows[at + width - 1] = isLast && !isCut ? 1 : 0;
            }
        }
        return rows;
    }

    /** {@return z = (s, a) of every step, row by row: its observation followed by its encoded action} */
    public float[] stateActions() {
        if (size() == 0) {
            return new float[0];
        }
        int ofState = observations.length / size();
        int ofAction = actions.length / size();
        float[] joined = new float[observations.length + actions.length];
        for (int i = 0; i < size(); i++) {
            int at = i * (ofState + ofAction);
            System.arraycopy(observations, i * ofState, joined, at, ofState);
            System.arraycopy(actions, i * ofAction, joined, at + ofState, ofAction);
        }
        return joined;
    }
}
