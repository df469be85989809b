package dev.pgkq.env;

import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Environments that are stepped one after the other. */
final class SeparateSimulators implements Simulators {
    private final Supplier<Environment> simulator;
    private final List<Environment> opened = new ArrayList<>();
    private final EnvironmentSpec spec;
    private final float[] action;

    SeparateSimulators(Supplier<Environment> simulator) {
        this.simulator = simulator;
        opened.add(simulator.get());
        this.spec = opened.getFirst().spec();
        this.action = new float[spec.actionSize()];
    }

    @Override
    public EnvironmentSpec spec() {
        return spec;
    }

    @Override
    public void reset(int[] slots, RandomStream[] random) {
        for (int i = 0; i < slots.length; i++) {
            while (opened.size() <= slots[i]) {
                opened.add(simulator.get());
            }
            opened.get(slots[i]).reset(random[i]);
        }
    }

    @Override
    public Outcome[] step(int[] slots, float[] actions) {
        Outcome[] outcomes = new Outcome[slots.length];
        for (int i = 0; i < slots.length; i++) {
            System.arraycopy(actions, i * action.length, action, 0, action.length);
            outcomes[i] = opened.get(slots[i]).step(action);
        }
        return outcomes;
    }

    @Override
    public void observation(int slot, float[] into) {
        opened.get(slot).observation(into);
    }

    @Override
    public void state(int slot, double[] into) {
        opened.get(slot).state(into);
    }

    @Override
    public void close() {
        opened.forEach(Environment::close);
    }
}
