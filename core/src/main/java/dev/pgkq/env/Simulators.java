package dev.pgkq.env;

import dev.pgkq.random.RandomStream;

/**
 * Several simulators of a task that are stepped together. Each has a number, its slot: 0, 1, 2, …; a slot is opened when it is
 * reset for the first time. A group is used by one thread at a time.
 *
 * <p>What a slot does must not depend on which others are stepped with it.
 */
public interface Simulators extends AutoCloseable {
    /**
     * What simulators are asked for at once. No slot is named twice.
     *
     * @param stepped the simulators that take a step
     * @param actions actions in the environment's range, one row for each of these; must not be modified
     * @param started the simulators that start a new episode
     * @param random for each of these, the source of all random numbers of its episode
     */
    record Turn(int[] stepped, float[] actions, int[] started, RandomStream[] random) {}

    /** {@return the sizes and bounds of the environment} */
    EnvironmentSpec spec();

    /** {@return how many slots to step together: enough to share the cost of a call, few enough to balance the workers} */
    default int together() {
        return 8;
    }

    /** {@return into how many parts to divide the slots, so that one is stepped while actions are chosen for another} */
    default int parts() {
        return 1;
    }

    /**
     * Asks for a turn, and may return before it is over. Until then its slots take part in no other turn, and their
     * observations and states are not defined.
     *
     * @param turn what to do
     */
    void begin(Turn turn);

    /**
     * Waits for the end of the turn that began first among those that have not been waited for.
     *
     * @return for each of the simulators that took a step, whether its episode continues
     */
    Outcome[] finish();

    /**
     * Starts new episodes.
     *
     * @param slots the simulators to start
     * @param random for each of them, the source of all random numbers of its episode
     */
    default void reset(int[] slots, RandomStream[] random) {
        begin(new Turn(new int[0], new float[0], slots, random));
        finish();
    }

    /**
     * Applies an action to each of some simulators for one time step.
     *
     * @param slots the simulators to step
     * @param actions actions in the environment's range, one row for each of them; must not be modified
     * @return for each of them, whether its episode continues
     */
    default Outcome[] step(int[] slots, float[] actions) {
        begin(new Turn(slots, actions, new int[0], new RandomStream[0]));
        return finish();
    }

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
