package dev.pgkq.env;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Supplier;

/** Environments that are stepped one after the other. */
final class SeparateSimulators implements Simulators {
    private final Supplier<Environment> simulator;
    private final List<Environment> opened = new ArrayList<>();
    private final EnvironmentSpec spec;
    private final float[] action;
    private final Queue<Outcome[]> finished = new ArrayDeque<>();

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
    public void begin(Turn turn) {
        Outcome[] outcomes = new Outcome[turn.stepped().length];
        for (int i = 0; i < outcomes.length; i++) {
            System.arraycopy(turn.actions(), i * action.length, action, 0, action.length);
            outcomes[i] = opened.get(turn.stepped()[i]).step(action);
        }
        for (int i = 0; i < turn.started().length; i++) {
            while (opened.size() <= turn.started()[i]) {
                opened.add(simulator.get());
            }
            opened.get(turn.started()[i]).reset(turn.random()[i]);
        }
        finished.add(outcomes);
    }

    @Override
    public Outcome[] finish() {
        return finished.remove();
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
