package dev.pgkq.env;

import java.io.Serializable;
import java.util.Arrays;

/**
 * The shape of an environment.
 *
 * @param observationSize numbers the policy sees
 * @param actionLow smallest value of each action the environment takes
 * @param actionHigh largest value of each action the environment takes
 * @param stateSize numbers of the simulator's state that rewards are computed from
 * @param maxSteps time limit; an episode that reaches it is truncated, which is not the same as terminated
 */
public record EnvironmentSpec(int observationSize, float[] actionLow, float[] actionHigh, int stateSize, int maxSteps)
        implements Serializable {

    public EnvironmentSpec {
        require(observationSize > 0, "observationSize must be positive, got " + observationSize);
        require(stateSize > 0, "stateSize must be positive, got " + stateSize);
        require(maxSteps > 0, "maxSteps must be positive, got " + maxSteps);
        require(actionLow.length > 0, "an environment needs at least one action");
        require(
                actionLow.length == actionHigh.length,
                "actionLow has " + actionLow.length + " entries, actionHigh " + actionHigh.length);
        for (int i = 0; i < actionLow.length; i++) {
            require(
                    Float.isFinite(actionLow[i]) && Float.isFinite(actionHigh[i]) && actionLow[i] < actionHigh[i],
                    "action " + i + " needs finite bounds with low < high, got " + actionLow[i] + " and "
                            + actionHigh[i]);
        }
        actionLow = actionLow.clone();
        actionHigh = actionHigh.clone();
    }

    /** A spec whose actions all lie between −bound and bound. */
    public static EnvironmentSpec symmetric(
            int observationSize, int actionSize, float bound, int stateSize, int maxSteps) {
        float[] low = new float[actionSize];
        float[] high = new float[actionSize];
        Arrays.fill(low, -bound);
        Arrays.fill(high, bound);
        return new EnvironmentSpec(observationSize, low, high, stateSize, maxSteps);
    }

    public int actionSize() {
        return actionLow.length;
    }

    /**
     * Turns a policy's action into the environment's: clip to [−1, 1], then map that range linearly onto [low, high].
     */
    public void toEnvironment(float[] policyActions, int offset, float[] into) {
        for (int i = 0; i < into.length; i++) {
            float clipped = Math.clamp(policyActions[offset + i], -1f, 1f);
            into[i] = actionLow[i] + 0.5f * (clipped + 1f) * (actionHigh[i] - actionLow[i]);
        }
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
