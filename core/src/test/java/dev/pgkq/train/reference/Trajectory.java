package dev.pgkq.train.reference;

import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import java.util.Arrays;

/**
 * An episode (s_0, a_0) … (s_{T−1}, a_{T−1}), s_T.
 *
 * @param observations s_t, one row for each step
 * @param actions a_t, one row for each step
 * @param logProbs log π(a_t|s_t) of the policy that sampled the episode
 * @param last s_T, the observation after the last step
 * @param truncated whether the time limit ended it
 */
record Trajectory(double[][] observations, double[][] actions, double[] logProbs, double[] last, boolean truncated) {
    /**
     * {@return a sampled episode}
     *
     * @param episode of a task whose observation is the state of its simulator
     */
    static Trajectory of(Episode episode) {
        int length = episode.length();
        int size = episode.states().length / (length + 1);
        double[] last = new double[length == 0 ? 0 : size];
        for (int i = 0; i < last.length; i++) {
            last[i] = (float) episode.states()[length * size + i];
        }
        double[] logProbs = new double[length];
        for (int t = 0; t < length; t++) {
            logProbs[t] = episode.logProbs()[t];
        }
        return new Trajectory(
                rows(episode.observations(), length),
                rows(episode.actions(), length),
                logProbs,
                last,
                episode.ending() == Ending.TRUNCATED);
    }

    private static double[][] rows(float[] values, int count) {
        int width = count == 0 ? 0 : values.length / count;
        double[][] rows = new double[count][width];
        for (int t = 0; t < count; t++) {
            for (int i = 0; i < width; i++) {
                rows[t][i] = values[t * width + i];
            }
        }
        return rows;
    }

    /** {@return T} */
    int length() {
        return logProbs.length;
    }

    /** {@return z_t = (s_t, a_t)} */
    double[] z(int t) {
        double[] s = observations[t];
        double[] a = actions[t];
        double[] z = new double[s.length + a.length];
        System.arraycopy(s, 0, z, 0, s.length);
        System.arraycopy(a, 0, z, s.length, a.length);
        return z;
    }

    /** {@return s_t, a_t and s_{t+1} − s_t; the latter is 0 after the last step of an episode that no time limit ended} */
    double[] transition(int t) {
        double[] s = observations[t];
        double[] z = z(t);
        double[] transition = Arrays.copyOf(z, z.length + s.length);
        for (int i = 0; i < s.length && !endsAfter(t); i++) {
            double next = t + 1 < length() ? observations[t + 1][i] : last[i];
            transition[z.length + i] = (float) (next - s[i]);
        }
        return transition;
    }

    /** {@return whether the episode ended by itself after this step} */
    boolean endsAfter(int t) {
        return t + 1 == length() && !truncated;
    }
}
