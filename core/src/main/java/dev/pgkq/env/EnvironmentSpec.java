package dev.pgkq.env;

import java.io.Serializable;
import java.util.Arrays;

/**
 * The sizes and bounds of an environment.
 *
 * @param observationSize number of values in an observation
 * @param actions which actions it takes
 * @param stateSize number of values in the simulator state that rewards are computed from
 * @param maxSteps time limit; an episode that reaches it is truncated, not terminated
 * @param hiddenStates how many values at the start of a state are for the task's own reward and for recorders alone:
 *     requests to oracles and replays leave them out
 */
public record EnvironmentSpec(int observationSize, ActionSpace actions, int stateSize, int maxSteps, int hiddenStates)
        implements Serializable {

    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException if a size is not positive, or more values are hidden than a state has
     */
    public EnvironmentSpec {
        require(observationSize > 0, "observationSize must be positive, got " + observationSize);
        require(stateSize > 0, "stateSize must be positive, got " + stateSize);
        require(maxSteps > 0, "maxSteps must be positive, got " + maxSteps);
        require(
                hiddenStates >= 0 && hiddenStates <= stateSize,
                "hiddenStates must be between 0 and " + stateSize + ", got " + hiddenStates);
    }

    /**
     * Creates the spec of an environment whose whole state may be shown.
     *
     * @param observationSize number of values in an observation
     * @param actions which actions it takes
     * @param stateSize number of values in the simulator state that rewards are computed from
     * @param maxSteps time limit of an episode, in steps
     * @throws IllegalArgumentException if a size is not positive
     */
    public EnvironmentSpec(int observationSize, ActionSpace actions, int stateSize, int maxSteps) {
        this(observationSize, actions, stateSize, maxSteps, 0);
    }

    /**
     * Creates the spec of an environment with continuous actions.
     *
     * @param observationSize number of values in an observation
     * @param actionLow smallest value of each action
     * @param actionHigh largest value of each action
     * @param stateSize number of values in the simulator state that rewards are computed from
     * @param maxSteps time limit of an episode, in steps
     * @throws IllegalArgumentException if a size is not positive, or if the bounds are not finite with low &lt; high
     */
    public EnvironmentSpec(int observationSize, float[] actionLow, float[] actionHigh, int stateSize, int maxSteps) {
        this(observationSize, new ActionSpace.Box(actionLow, actionHigh), stateSize, maxSteps);
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

    /** {@return the number of values in an action of the environment} */
    public int actionSize() {
        return actions.size();
    }

    /** {@return the number of values in an encoded action, which episodes hold} */
    public int encodedActionSize() {
        return actions.encodedSize();
    }

    /**
     * Converts a policy's action to an action of the environment: clips a continuous one to [−1, 1] and maps that range
     * linearly to [low, high]; finds the categories of a discrete one.
     *
     * @param policyActions holds the policy's action
     * @param offset index at which the action starts, a multiple of {@link #encodedActionSize}
     * @param into receives the environment's action, {@link #actionSize} values
     */
    public void toEnvironment(float[] policyActions, int offset, float[] into) {
        actions.decode(policyActions, offset, into);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
