package dev.pgkq.env;

import java.io.Serializable;
import java.util.Arrays;

/**
 * The sizes and bounds of an environment.
 *
 * @param observationSize number of values in an observation
 * @param actionLow smallest value of each action
 * @param actionHigh largest value of each action
 * @param stateSize number of values in the simulator state that rewards are computed from
 * @param maxSteps time limit; an episode that reaches it is truncated, not terminated
 */
public record EnvironmentSpec(int observationSize, float[] actionLow, float[] actionHigh, int stateSize, int maxSteps)
        implements Serializable {

    /**
     * Checks the arguments and copies the arrays.
     *
     * @throws IllegalArgumentException if a size is not positive, or if the bounds are not finite with low &lt; high
     */
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

    /**
     * {@return a spec whose actions all lie between −bound and bound}
     *
     * @param observationSize number of values in an observation
     * @param actionSize number of values in an action
     * @param bound largest absolute value of an action
     * @param stateSize number of values in the simulator state that rewards are computed from
     * @param maxSteps time limit of an episode, in steps
     * @throws IllegalArgumentException if a size or {@code maxSteps} is not positive, or the bound is not finite and positive
     */
    public static EnvironmentSpec symmetric(
            int observationSize, int actionSize, float bound, int stateSize, int maxSteps) {
        float[] low = new float[Math.max(0, actionSize)];
        float[] high = low.clone();
        Arrays.fill(low, -bound);
        Arrays.fill(high, bound);
        return new EnvironmentSpec(observationSize, low, high, stateSize, maxSteps);
    }

    /** {@return the number of values in an action} */
    public int actionSize() {
        return actionLow.length;
    }

    /**
     * Converts a policy's action to an action of the environment: clips it to [−1, 1] and maps that range linearly to
     * [low, high].
     *
     * @param policyActions holds the policy's action
     * @param offset index at which the action starts
     * @param into receives the environment's action
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
