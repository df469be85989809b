package dev.pgkq.nn;

import dev.pgkq.linalg.Elementwise;
import dev.pgkq.state.Snapshot;

/**
 * Adam (D. Kingma, J. Ba: Adam, a method for stochastic optimization, ICLR 2015), minimising:
 *
 * <pre>
 *   m ← β₁ m + (1 − β₁) g,   v ← β₂ v + (1 − β₂) g²,   θ ← θ − α (m / (1 − β₁ᵗ)) / (√(v / (1 − β₂ᵗ)) + ε)
 * </pre>
 */
public final class Adam {
    private static final double BETA1 = 0.9;
    private static final double BETA2 = 0.999;
    private static final double EPSILON = 1e-8;

    private final double learningRate;
    private final float[] m;
    private final float[] v;
    private final Elementwise loops = Elementwise.best();
    private long steps;

    /**
     * Creates an optimiser that has taken no step.
     *
     * @param parameterCount size of θ
     * @param learningRate α
     */
    public Adam(int parameterCount, double learningRate) {
        this.learningRate = learningRate;
        this.m = new float[parameterCount];
        this.v = new float[parameterCount];
    }

    /**
     * Moves the parameters one step against the gradient.
     *
     * @param parameters θ, changed
     * @param gradient g
     */
    public void descend(float[] parameters, float[] gradient) {
        steps++;
        double rate = learningRate / (1 - Math.pow(BETA1, steps));
        double vScale = 1 / Math.sqrt(1 - Math.pow(BETA2, steps));
        loops.adam(parameters, gradient, m, v, (float) rate, (float) BETA1, (float) BETA2, (float) vScale, (float)
                EPSILON);
    }

    /**
     * Adds the optimiser's state to a checkpoint.
     *
     * @param name what the names of its entries start with
     * @param into the checkpoint
     */
    public void save(String name, Snapshot.Builder into) {
        into.tensor(name + ".m", m);
        into.tensor(name + ".v", v);
        into.counter(name + ".steps", steps);
    }

    /**
     * Restores what {@link #save} saved.
     *
     * @param name what the names of its entries start with
     * @param saved the checkpoint
     */
    public void restore(String name, Snapshot saved) {
        saved.copyTensor(name + ".m", m);
        saved.copyTensor(name + ".v", v);
        steps = saved.counter(name + ".steps");
    }
}
