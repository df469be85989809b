package dev.pgkq.env;

import dev.pgkq.random.RandomStream;
import java.util.Optional;

/**
 * One simulator of a task, stepped by one thread at a time.
 *
 * <p>The reward is not a result of {@link #step}: it is a function of the simulator's state before and after the step
 * and of the action, so that it can be evaluated later, for some episodes only, and without a simulator. Whatever the
 * reward needs must therefore be part of {@link #state}.
 *
 * <p>Everything random comes from the stream given to {@link #reset}: the same stream and the same actions must give
 * the same episode, bit for bit. {@code pgkq envs --check ID} tells whether an implementation keeps these rules.
 */
public interface Environment extends AutoCloseable {
    EnvironmentSpec spec();

    /** Starts a new episode. */
    void reset(RandomStream random);

    /** Applies an action, already mapped to the environment's range. */
    Outcome step(float[] action);

    /** Writes what the policy sees now. */
    void observation(float[] into);

    /** Writes the simulator's state now. */
    void state(double[] into);

    /** The reward of one step; must depend on its arguments only. */
    double reward(double[] before, float[] action, double[] after);

    /** What it looks like from the side, for those who watch; empty where nobody has drawn it. */
    default Optional<Figure> figure() {
        return Optional.empty();
    }

    @Override
    default void close() {}
}
