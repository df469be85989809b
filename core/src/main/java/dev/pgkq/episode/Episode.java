package dev.pgkq.episode;

import java.io.Serializable;

/**
 * One episode: T steps of state and action, and no rewards.
 *
 * @param iteration iteration of the run that sampled it
 * @param index place in its batch; with the run's seed and the iteration it determines every random number in it
 * @param length T, the number of steps; 0 only where a simulation blew up on its first step
 * @param observations what the policy saw, T × observationSize, row by row
 * @param actions what the policy answered, before clipping, T × actionSize
 * @param logProbs log π(a_t|s_t) of the policy that sampled it, T
 * @param states the simulator's states that rewards are computed from, (T + 1) × stateSize
 * @param ending how it ended
 */
public record Episode(
        int iteration,
        int index,
        int length,
        float[] observations,
        float[] actions,
        float[] logProbs,
        double[] states,
        Ending ending)
        implements Serializable {

    public Episode {
        if (length < 0 || (length == 0 && ending != Ending.DIVERGED)) {
            throw new IllegalArgumentException("an episode that ended as " + ending + " cannot have length " + length);
        }
        requireRows(observations.length, length, "observations");
        requireRows(actions.length, length, "actions");
        requireRows(logProbs.length, length, "logProbs");
        requireRows(states.length, length + 1, "states");
    }

    private static void requireRows(int values, int rows, String what) {
        if (rows == 0 ? values != 0 : values % rows != 0 || values == 0) {
            throw new IllegalArgumentException(what + " has " + values + " values for " + rows + " rows");
        }
    }
}
