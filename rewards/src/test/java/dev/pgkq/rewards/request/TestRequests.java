package dev.pgkq.rewards.request;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;

/** Requests for tests. */
public final class TestRequests {
    public static final int LENGTH = 4;
    public static final int ITERATION = 3;
    /** Two observations, one action between 0 and 10, three numbers of state. */
    public static final EnvironmentSpec SPEC = new EnvironmentSpec(2, new float[] {0}, new float[] {10}, 3, 20);

    private TestRequests() {}

    public static Episode episode(int index, int length) {
        float[] observations = new float[2 * length];
        float[] actions = new float[length];
        double[] states = new double[3 * (length + 1)];
        for (int t = 0; t < length; t++) {
            observations[2 * t] = t + 0.25f;
            observations[2 * t + 1] = index;
            actions[t] = -1.5f + t;
        }
        for (int i = 0; i < states.length; i++) {
            states[i] = i / 8.0;
        }
        Ending ending = length == 0 ? Ending.DIVERGED : Ending.TERMINATED;
        return new Episode(ITERATION, index, length, observations, actions, new float[length], states, ending);
    }

    /** A request for an episode of the default length. */
    public static Request ask(int index) {
        return ask(index, LENGTH);
    }

    public static Request ask(int index, int length) {
        return new Request("key-" + index, "Point-v0", ITERATION, 1, SPEC, episode(index, length));
    }

    /** The answer that contract tests expect: 100 × index + t. */
    public static double[] rewards(int index) {
        double[] rewards = new double[LENGTH];
        for (int t = 0; t < LENGTH; t++) {
            rewards[t] = 100 * index + t;
        }
        return rewards;
    }
}
