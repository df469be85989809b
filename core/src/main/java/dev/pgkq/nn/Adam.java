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

    /** {@return the number of steps taken} */
    public long steps() {
        return steps;
    }

    /**
     * Moves the parameters one step against the gradient.
     *
     * @param parameters θ, changed
     * @param gradient g
     */
    public void descend(float[] parameters, float[] gradient) {
        descend(parameters, gradient, 1);
    }

    /**
     * Moves the parameters one step against the gradient, with another learning rate.
     *
     * @param parameters θ, changed
     * @param gradient g
     * @param factor of the learning rate in this step
     */
    public void descend(float[] parameters, float[] gradient, double factor) {
        steps++;
        double rate = factor * learningRate / (1 - Math.pow(BETA1, steps));
        double vScale = 1 / Math.sqrt(1 - Math.pow(BETA2, steps));
        loops.adam(parameters, gradient, m, v, (float) rate, (float) BETA1, (float) BETA2, (float) vScale, (float)
                EPSILON);
    }

    /**
     * Saves both moments and the number of steps.
     *
     * @param name prefix of the entries' names
     * @param layout names and shapes of the parameters
     * @param into the checkpoint
     */
    public void save(String name, ParameterLayout layout, Snapshot.Builder into) {
        layout.save(name + "/m", m, into);
        layout.save(name + "/v", v, into);
        into.counter(name + "/steps", steps);
    }

    /**
     * Restores what {@link #save} saved.
     *
     * @param name prefix of the entries' names
     * @param layout names and shapes of the parameters
     * @param saved the checkpoint
     * @throws IllegalArgumentException if the saved state does not fit
     */
    public void restore(String name, ParameterLayout layout, Snapshot saved) {
        layout.restore(name + "/m", saved, m);
        layout.restore(name + "/v", saved, v);
        steps = saved.counter(name + "/steps");
    }
}
