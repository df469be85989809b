package dev.pgkq.env;

import dev.pgkq.random.RandomStream;
import java.util.Optional;

/**
 * One simulator of a task. It is used by one thread at a time.
 *
 * <p>{@link #step} does not return a reward. The reward is a function of the simulator's state before and after the step and
 * of the action, so that it can be evaluated later, for selected episodes only, and without a simulator. Everything the
 * reward needs must therefore be part of {@link #state}.
 *
 * <p>All randomness comes from the stream given to {@link #reset}: the same stream and the same actions must give the same
 * episode, bit for bit. {@link EnvironmentChecker} checks these rules.
 */
public interface Environment extends AutoCloseable {
    /** {@return the sizes and bounds of the environment; the same for every simulator of a task} */
    EnvironmentSpec spec();

    /**
     * Starts a new episode.
     *
     * @param random source of all random numbers of the episode
     */
    void reset(RandomStream random);

    /**
     * Applies an action for one time step.
     *
     * @param action the action in the environment's range; must not be modified
     * @return whether the episode continues
     */
    Outcome step(float[] action);

    /**
     * Writes the current observation: {@link EnvironmentSpec#observationSize} finite values.
     *
     * @param into receives the values, from index 0
     */
    void observation(float[] into);

    /**
     * Writes the current state: {@link EnvironmentSpec#stateSize} finite values.
     *
     * @param into receives the values, from index 0
     */
    void state(double[] into);

    /**
     * Computes the reward of one step. It must be finite, depend on the arguments only, and not modify them.
     *
     * @param before state before the step
     * @param action the action in the environment's range
     * @param after state after the step
     * @return the reward of the step
     */
    double reward(double[] before, float[] action, double[] after);

    /** {@return a drawing of the simulator from the side for visualizations; empty if there is none} */
    default Optional<Figure> figure() {
        return Optional.empty();
    }

    @Override
    default void close() {}
}
