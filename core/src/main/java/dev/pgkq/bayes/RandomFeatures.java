package dev.pgkq.bayes;

import static dev.pgkq.linalg.Blas.Transpose.NO;

import dev.pgkq.linalg.Blas;
import dev.pgkq.linalg.Elementwise;
import dev.pgkq.nn.Chunks;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;

/**
 * Fixed random features of a step z = (s, a): φ(z) = (max(0, ⟨a_j, ẑ⟩ + b_j))_j and, last, 1. Here ẑ are the components of z,
 * shifted and scaled to mean 0 and variance 1 over the first batch, a_j ~ N(0, I/D) and b_j ~ N(0, 1). The features never change
 * after the first batch, so sums over them never expire.
 */
public final class RandomFeatures implements StepFeatures {
    private static final String UNITS = "/units";

    private final int inputs;
    private final int size;
    private final long seed;
    private final Workers workers;
    private final Blas blas = Blas.best();
    private final Elementwise elementwise = Elementwise.best();

    /** Mean and standard deviation of each component, one after the other; none before the first batch. */
    private float[] units = {};

    private final float[] weights;
    private final float[] biases;

    /**
     * Creates features whose units are not known yet.
     *
     * @param inputs D, the size of z
     * @param count number of random features, without the constant
     * @param seed determines a_j and b_j
     * @param workers share the steps
     */
    public RandomFeatures(int inputs, int count, long seed, Workers workers) {
        this.inputs = inputs;
        this.size = count + 1;
        this.seed = seed;
        this.workers = workers;
        this.weights = new float[inputs * size];
        this.biases = new float[size];
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public boolean isFixed() {
        return units.length > 0;
    }

    @Override
    public void fix(float[] steps) {
        units = units(steps, inputs);
        draw();
    }

    /** Returns mean and standard deviation of each component of some steps, one after the other. */
    static float[] units(float[] steps, int inputs) {
        int rows = steps.length / inputs;
        double[] mean = new double[inputs];
        double[] square = new double[inputs];
        for (int i = 0; i < steps.length; i++) {
            mean[i % inputs] += (double) steps[i] / rows;
        }
        for (int i = 0; i < steps.length; i++) {
            double away = steps[i] - mean[i % inputs];
            square[i % inputs] += away * away / rows;
        }
        float[] units = new float[2 * inputs];
        for (int k = 0; k < inputs; k++) {
            double deviation = Math.sqrt(square[k]);
            units[k] = (float) mean[k];
            // what did not vary may vary later, by an amount that nobody knows
            units[inputs + k] = deviation > 1e-6 * Math.abs(mean[k]) ? (float) deviation : 1;
        }
        return units;
    }

    private void draw() {
        RandomStream random = RandomStream.of(seed, Purpose.REWARD_FEATURES);
        for (int j = 0; j < size - 1; j++) {
            double bias = random.nextGaussian();
            for (int k = 0; k < inputs; k++) {
                double weight = random.nextGaussian() / Math.sqrt(inputs) / units[inputs + k];
                weights[k * size + j] = (float) weight;
                bias -= weight * units[k];
            }
            biases[j] = (float) bias;
        }
        biases[size - 1] = 1;
    }

    /**
     * Computes features. The bits of an episode do not depend on the others.
     *
     * @param starts where each episode's rows start, and where the last one ends
     * @param steps z, row by row
     * @return φ, row by row
     */
    public float[] of(int[] starts, float[] steps) {
        int rows = starts[starts.length - 1];
        float[] features = new float[Math.multiplyExact(rows, size)];
        Chunks chunks = Chunks.of(starts);
        float[][] parts = new float[workers.count()][];
        workers.run(chunks.count(), (worker, chunk) -> {
            int count = chunks.rows(chunk);
            int from = chunks.from(chunk);
            if (parts[worker] == null || parts[worker].length < count * size) {
                parts[worker] = new float[count * size];
            }
            compute(steps, from, count, parts[worker]);
            System.arraycopy(parts[worker], 0, features, from * size, count * size);
        });
        return features;
    }

    @Override
    public void compute(float[] steps, int from, int rows, float[] into) {
        blas.multiply(NO, NO, rows, size, inputs, steps, from * inputs, weights, 0, 0f, into, 0);
        elementwise.addBias(into, rows, size, biases, 0, true);
    }

    @Override
    public void save(String name, Snapshot.Builder into) {
        into.tensor(name + UNITS, units.clone(), units.length);
    }

    @Override
    public void restore(String name, Snapshot saved) {
        float[] restored = saved.tensor(name + UNITS).values();
        if (restored.length == 0) {
            units = restored;
            Arrays.fill(weights, 0);
            return;
        }
        units = saved.values(name + UNITS, 2 * inputs).clone();
        draw();
    }
}
