package dev.pgkq.episode;

import java.io.Serializable;
import java.util.List;

/**
 * The steps of several episodes laid end to end.
 *
 * @param starts the row at which each episode starts, and one more entry: the row after the last episode
 * @param observations one row for each step
 * @param actions the policy's actions before clipping, one row for each step
 * @param logProbs log π(a|s) of each step under the policy that sampled it; empty if it is not known
 */
public record Steps(int[] starts, float[] observations, float[] actions, float[] logProbs) implements Serializable {
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
        return new Steps(starts, observations, actions, logProbs);
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
        return new Steps(starts, observations, actions, logProbs);
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

    /** {@return z = (s, a) of every step, row by row: its observation followed by its action before clipping} */
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
