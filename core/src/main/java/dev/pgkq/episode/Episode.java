package dev.pgkq.episode;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Playback;
import java.io.Serializable;

/**
 * One episode: T steps of state and action, and no rewards.
 *
 * @param iteration iteration of the run in which it was sampled
 * @param index position in its batch; with the seed and the iteration it determines every random number of the episode
 * @param length T, the number of steps; 0 only if the simulation diverged in its first step
 * @param observations T × observationSize values, row by row
 * @param actions the policy's actions, encoded and not clipped, T × encodedActionSize values
 * @param logProbs log π(a_t|s_t) under the policy that sampled the episode, T values
 * @param states the simulator states that rewards are computed from, (T + 1) × stateSize values
 * @param finalObservation the observation after the last step of a truncated episode; empty if the episode was not truncated
 *     or the observation is not known
 * @param ending how the episode ended
 */
public record Episode(
        int iteration,
        int index,
        int length,
        float[] observations,
        float[] actions,
        float[] logProbs,
        double[] states,
        float[] finalObservation,
        Ending ending)
        implements Serializable {

    /**
     * Checks the lengths of the arrays.
     *
     * @throws IllegalArgumentException if an array does not fit the length, or if an episode without steps did not diverge
     */
    public Episode {
        if (length < 0 || (length == 0 && ending != Ending.DIVERGED)) {
            throw new IllegalArgumentException("an episode that ended as " + ending + " cannot have length " + length);
        }
        requireRows(observations.length, length, "observations");
        requireRows(actions.length, length, "actions");
        requireRows(logProbs.length, length, "logProbs");
        requireRows(states.length, length + 1, "states");
        if (finalObservation.length > 0 && length > 0 && finalObservation.length != observations.length / length) {
            throw new IllegalArgumentException("finalObservation has " + finalObservation.length + " values, other"
                    + " observations have " + observations.length / length);
        }
    }

    /**
     * Creates an episode whose final observation is not known.
     *
     * @param iteration iteration of the run in which it was sampled
     * @param index position in its batch
     * @param length T, the number of steps
     * @param observations T × observationSize values, row by row
     * @param actions the policy's actions, encoded and not clipped, T × encodedActionSize values
     * @param logProbs log π(a_t|s_t) under the policy that sampled the episode, T values
     * @param states the simulator states that rewards are computed from, (T + 1) × stateSize values
     * @param ending how the episode ended
     * @throws IllegalArgumentException if an array does not fit the length, or if an episode without steps did not diverge
     */
    public Episode(
            int iteration,
            int index,
            int length,
            float[] observations,
            float[] actions,
            float[] logProbs,
            double[] states,
            Ending ending) {
        this(iteration, index, length, observations, actions, logProbs, states, new float[0], ending);
    }

    /**
     * {@return how to play this episode again}
     *
     * @param spec the shape of its environment, whose task has a {@linkplain dev.pgkq.env.Recorder recorder}
     */
    public Playback playback(EnvironmentSpec spec) {
        int seen = spec.observationSize();
        int acted = spec.actionSize();
        int[] checks = new int[length];
        float[] applied = new float[length * acted];
        float[] one = new float[acted];
        for (int t = 0; t < length; t++) {
            checks[t] = Playback.check(observations, t * seen, seen);
            spec.toEnvironment(actions, t * spec.encodedActionSize(), one);
            System.arraycopy(one, 0, applied, t * acted, acted);
        }
        return new Playback((long) states[0], applied, checks);
    }

    private static void requireRows(int values, int rows, String what) {
        if (rows == 0 ? values != 0 : values % rows != 0 || values == 0) {
            throw new IllegalArgumentException(what + " has " + values + " values for " + rows + " rows");
        }
    }
}
