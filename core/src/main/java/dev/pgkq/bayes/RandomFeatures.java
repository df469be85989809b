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
 * Fixed features of a step, which is described by D numbers z and perhaps by marks e, which are 0 or 1:
 *
 * <pre>
 *   φ(z, e) = (max(0, ⟨a_j, ẑ⟩ + b_j) for j = 1 … m,   0.3 √(m/D) ẑ,   3 √m e,   1)
 * </pre>
 *
 * <p>Here ẑ are the components of z, shifted and scaled to mean 0 and variance 1 over the first batch, a_j ~ N(0, I/D) and b_j ~ N(0, 1). The
 * factors weigh the parts against each other: on average, the squares of the linear features add up to 0.09 of those of the random ones,
 * and a mark to 9 times as much in the few steps that have it. If D is large, there are no linear features. The features never
 * change after the first batch, so sums over them never expire.
 */
public final class RandomFeatures implements StepFeatures {
    /** More components than so many have no linear features: each costs as much as a random one. */
    static final int MOST_LINEAR = 128;

    private static final double OF_LINEAR = 0.3;
    private static final double OF_MARKS = 3;

    private static final String UNITS = "/units";

    private final int inputs;
    private final int marks;
    private final int random;
    private final int linear;
    private final int size;
    private final float ofLinear;
    private final float ofMarks;
    private final long seed;
    private final Workers workers;
    private final Blas blas = Blas.best();
    private final Elementwise elementwise = Elementwise.best();

    /** Mean and standard deviation of each component, one after the other; none before the first batch. */
    private float[] units = {};

    /** Those of the random features; 0 elsewhere. */
    private final float[] weights;

    private final float[] biases;

    /**
     * Creates features whose units are not known yet.
     *
     * @param inputs D, the size of z
     * @param marks how many marks follow it
     * @param count m, the number of random features
     * @param seed determines a_j and b_j
     * @param workers share the steps
     */
    public RandomFeatures(int inputs, int marks, int count, long seed, Workers workers) {
        this.inputs = inputs;
        this.marks = marks;
        this.random = count;
        this.linear = inputs <= MOST_LINEAR ? inputs : 0;
        this.size = count + linear + marks + 1;
        this.ofLinear = (float) (OF_LINEAR * Math.sqrt((double) count / inputs));
        this.ofMarks = (float) (OF_MARKS * Math.sqrt(count));
        this.seed = seed;
        this.workers = workers;
        this.weights = new float[(inputs + marks) * size];
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
        units = units(steps, inputs, marks);
        draw();
    }

    /** Returns mean and standard deviation of each component of some steps, one after the other; marks follow each row. */
    static float[] units(float[] steps, int inputs, int marks) {
        int width = inputs + marks;
        int rows = steps.length / width;
        double[] mean = new double[width];
        double[] square = new double[width];
        for (int i = 0; i < steps.length; i++) {
            mean[i % width] += (double) steps[i] / rows;
        }
        for (int i = 0; i < steps.length; i++) {
            double away = steps[i] - mean[i % width];
            square[i % width] += away * away / rows;
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
        RandomStream stream = RandomStream.of(seed, Purpose.REWARD_FEATURES);
        for (int j = 0; j < random; j++) {
            double bias = stream.nextGaussian();
            for (int k = 0; k < inputs; k++) {
                double weight = stream.nextGaussian() / Math.sqrt(inputs) / units[inputs + k];
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
     * @param steps z and marks, row by row
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
        int width = inputs + marks;
        blas.multiply(NO, NO, rows, size, width, steps, from * width, weights, 0, 0f, into, 0);
        elementwise.addBias(into, rows, size, biases, 0, true);
        for (int row = 0; row < rows; row++) {
            int read = (from + row) * width;
            int write = row * size + random;
            for (int k = 0; k < linear; k++) {
                into[write + k] = ofLinear * (steps[read + k] - units[k]) / units[inputs + k];
            }
            for (int k = 0; k < marks; k++) {
                into[write + linear + k] = ofMarks * steps[read + inputs + k];
            }
        }
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
