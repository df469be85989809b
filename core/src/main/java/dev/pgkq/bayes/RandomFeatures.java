package dev.pgkq.bayes;

import dev.pgkq.nn.Chunks;
import dev.pgkq.nn.Mlp;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;

/**
 * Fixed random features of a step z = (s, a): φ(z) = (max(0, ⟨a_j, ẑ⟩ + b_j))_j and 1, with ẑ the components of z in units of the
 * first batch, a_j ~ N(0, I/D) and b_j ~ N(0, 1). They never change after the first batch, so sums over them never expire.
 */
public final class RandomFeatures {
    private final Mlp network;
    private final float[] parameters;
    private final Workers workers;
    private final RandomStream random;
    private boolean ready;

    /**
     * Creates features whose units are not known yet.
     *
     * @param inputs D, the size of z
     * @param count number of random features, without the constant
     * @param random draws a_j and b_j
     * @param workers share the steps
     */
    public RandomFeatures(int inputs, int count, RandomStream random, Workers workers) {
        this.network = new Mlp(inputs, count, 1);
        this.parameters = new float[network.parameterCount()];
        this.workers = workers;
        this.random = random;
    }

    /** {@return the size of φ} */
    public int size() {
        return network.hiddenUnits() + 1;
    }

    /** {@return whether the units are known} */
    public boolean isReady() {
        return ready;
    }

    /**
     * Takes the units of the inputs from the first batch: mean and standard deviation of each component.
     *
     * @param inputs z, row by row
     */
    public void standardize(float[] inputs) {
        int width = network.inputs();
        int count = size() - 1;
        int rows = Math.max(1, inputs.length / width);
        double[] mean = new double[width];
        double[] square = new double[width];
        for (int i = 0; i < inputs.length; i++) {
            mean[i % width] += (double) inputs[i] / rows;
        }
        for (int i = 0; i < inputs.length; i++) {
            double away = inputs[i] - mean[i % width];
            square[i % width] += away * away / rows;
        }
        for (int j = 0; j < count; j++) {
            double bias = random.nextGaussian();
            for (int i = 0; i < width; i++) {
                double deviation = Math.sqrt(square[i]);
                // what did not vary may vary later, by an amount that nobody knows
                double unit = deviation > 1e-6 * Math.abs(mean[i]) && deviation > 0 ? deviation : 1;
                double weight = random.nextGaussian() / Math.sqrt(width) / unit;
                parameters[i * count + j] = (float) weight;
                bias -= weight * mean[i];
            }
            parameters[width * count + j] = (float) bias;
        }
        ready = true;
    }

    /**
     * Computes features. The bits of an episode do not depend on the others.
     *
     * @param starts where each episode's rows start, and where the last one ends
     * @param inputs z, row by row
     * @return φ, row by row
     */
    public float[] of(int[] starts, float[] inputs) {
        return network.hiddenAll(parameters, inputs, Chunks.of(starts), workers);
    }

    /**
     * Adds the features to a checkpoint.
     *
     * @param name what the names of its entries start with
     * @param into the checkpoint
     */
    public void save(String name, Snapshot.Builder into) {
        network.layout().save(name, parameters, into);
        into.counter(name + "/ready", ready ? 1 : 0);
    }

    /**
     * Restores what {@link #save} saved.
     *
     * @param name what the names of its entries start with
     * @param saved the checkpoint
     */
    public void restore(String name, Snapshot saved) {
        network.layout().restore(name, saved, parameters);
        ready = saved.counter(name + "/ready") == 1;
    }
}
