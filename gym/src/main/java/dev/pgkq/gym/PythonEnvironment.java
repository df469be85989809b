package dev.pgkq.gym;

import dev.pgkq.env.Environment;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Outcome;
import dev.pgkq.env.Simulators;
import dev.pgkq.random.RandomStream;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One environment in Python. Its process starts with the first reset: rewards are part of the states, so that evaluating them
 * needs no process.
 */
final class PythonEnvironment implements Environment {
    private static final int[] SLOT = {0};

    private final Supplier<EnvironmentSpec> spec;
    private final Supplier<PythonSimulators> opener;
    private @Nullable Simulators simulators;

    PythonEnvironment(Supplier<EnvironmentSpec> spec, Supplier<PythonSimulators> opener) {
        this.spec = spec;
        this.opener = opener;
    }

    @Override
    public EnvironmentSpec spec() {
        return spec.get();
    }

    private Simulators running() {
        Simulators running = simulators;
        if (running == null) {
            throw new IllegalStateException("reset starts the environment");
        }
        return running;
    }

    @Override
    public void reset(RandomStream random) {
        if (simulators == null) {
            simulators = opener.get();
        }
        running().reset(SLOT, new RandomStream[] {random});
    }

    @Override
    public Outcome step(float[] action) {
        return running().step(SLOT, action)[0];
    }

    @Override
    public void observation(float[] into) {
        running().observation(0, into);
    }

    @Override
    public void state(double[] into) {
        running().state(0, into);
    }

    /** Returns what {@code step} returned in Python, the first value of the state after it. */
    @Override
    public double reward(double[] before, float[] action, double[] after) {
        return after[0];
    }

    @Override
    public void close() {
        if (simulators != null) {
            simulators.close();
        }
    }
}
