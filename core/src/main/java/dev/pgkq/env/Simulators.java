package dev.pgkq.env;

import dev.pgkq.random.RandomStream;

/**
 * Several simulators of a task that are stepped together. Each has a number, its slot: 0, 1, 2, …; a slot is opened when it is
 * reset for the first time. A group is used by one thread at a time.
 *
 * <p>What a slot does must not depend on which others are stepped with it.
 */
public interface Simulators extends AutoCloseable {
    /** {@return the sizes and bounds of the environment} */
    EnvironmentSpec spec();

    /** {@return how many slots to step together: enough to share the cost of a call, few enough to balance the workers} */
    default int together() {
        return 8;
    }

    /**
     * Starts new episodes.
     *
     * @param slots the simulators to start
     * @param random for each of them, the source of all random numbers of its episode
     */
    void reset(int[] slots, RandomStream[] random);

    /**
     * Applies an action to each of some simulators for one time step.
     *
     * @param slots the simulators to step
     * @param actions actions in the environment's range, one row for each of them; must not be modified
     * @return for each of them, whether its episode continues
     */
    Outcome[] step(int[] slots, float[] actions);

    /**
     * Writes the current observation of a simulator.
     *
     * @param slot the simulator
     * @param into receives {@link EnvironmentSpec#observationSize} values, from index 0
     */
    void observation(int slot, float[] into);

    /**
     * Writes the current state of a simulator.
     *
     * @param slot the simulator
     * @param into receives {@link EnvironmentSpec#stateSize} values, from index 0
     */
    void state(int slot, double[] into);

    @Override
    void close();
}
