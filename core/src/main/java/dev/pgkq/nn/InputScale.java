package dev.pgkq.nn;

import dev.pgkq.state.Snapshot;
import java.util.Arrays;

/**
 * Running statistics of the first inputs of networks, and the normalisation that follows from them:
 *
 * <pre>
 *   x̂ = clip((x − mean) / deviation, −10, 10)
 * </pre>
 *
 * <p>Mean and deviation are those of all rows that were ever added. Before the first rows, x̂ = x. An input that does not vary has
 * deviation 0, and x̂ = 0. Networks share one scale and follow it. Their further inputs, such as actions after an observation, are
 * not normalised.
 */
public final class InputScale {
    /** Normalises nothing. */
    public static final InputScale NONE = new InputScale(0);

    /** The largest absolute value of a normalised input. */
    public static final float LIMIT = 10;

    /** A deviation below this share of the mean is rounding error. */
    private static final double ROUNDING = 1e-6;

    /** Floats, as in a checkpoint, so that a resumed run has the same bits. */
    private final float[] mean;

    private final float[] deviation;
    private final float[] factor;
    private long rows;

    /**
     * Creates a scale that has seen nothing yet.
     *
     * @param size number of inputs to normalise
     */
    public InputScale(int size) {
        this.mean = new float[size];
        this.deviation = new float[size];
        this.factor = new float[size];
    }

    /** {@return the number of inputs that are normalised} */
    public int size() {
        return mean.length;
    }

    /**
     * Normalises rows.
     *
     * @param from rows of inputs
     * @param count number of rows
     * @param width number of values in a row; those after the first {@link #size} are copied
     * @param into receives the rows
     */
    void apply(float[] from, int count, int width, float[] into) {
        System.arraycopy(from, 0, into, 0, count * width);
        if (rows == 0) {
            return;
        }
        for (int r = 0; r < count; r++) {
            for (int i = 0; i < mean.length; i++) {
                int at = r * width + i;
                into[at] = Math.clamp((from[at] - mean[i]) * factor[i], -LIMIT, LIMIT);
            }
        }
    }

    /**
     * Takes rows into account. The result depends on their order only through rounding, and not on threads.
     *
     * @param inputs rows of {@link #size} values
     */
    public void add(float[] inputs) {
        int size = mean.length;
        int count = size == 0 ? 0 : inputs.length / size;
        if (count == 0) {
            return;
        }
        double[] sums = new double[size];
        for (int i = 0; i < inputs.length; i++) {
            sums[i % size] += inputs[i];
        }
        double[] squares = new double[size];
        for (int i = 0; i < inputs.length; i++) {
            double away = inputs[i] - sums[i % size] / count;
            squares[i % size] += away * away;
        }
        double total = (double) rows + count;
        for (int i = 0; i < size; i++) {
            double change = sums[i] / count - mean[i];
            double before = rows * (double) deviation[i] * deviation[i];
            double variance = (before + squares[i] + change * change * rows * count / total) / total;
            set(i, (float) (mean[i] + change * count / total), Math.sqrt(variance));
        }
        rows += count;
    }

    private void set(int input, float newMean, double newDeviation) {
        mean[input] = newMean;
        deviation[input] = newDeviation > ROUNDING * Math.abs(newMean) ? (float) newDeviation : 0;
        float inverse = 1 / deviation[input];
        factor[input] = Float.isFinite(inverse) ? inverse : 0;
    }

    /** {@return the means, then the deviations; empty before the first rows} */
    public float[] values() {
        if (rows == 0) {
            return new float[0];
        }
        float[] values = Arrays.copyOf(mean, 2 * mean.length);
        System.arraycopy(deviation, 0, values, mean.length, mean.length);
        return values;
    }

    /**
     * Normalises from now on as another scale does.
     *
     * @param values of the other scale
     */
    public void follow(float[] values) {
        rows = values.length == 0 ? 0 : 1;
        for (int i = 0; i < values.length / 2; i++) {
            set(i, values[i], values[mean.length + i]);
        }
    }

    /**
     * Adds mean, deviation and the number of rows to a checkpoint, if there is something to normalise.
     *
     * @param name prefix of the entries' names
     * @param into the checkpoint
     */
    public void save(String name, Snapshot.Builder into) {
        if (mean.length > 0) {
            into.tensor(name + "/mean", mean.clone(), mean.length);
            into.tensor(name + "/deviation", deviation.clone(), mean.length);
            into.counter(name + "/rows", rows);
        }
    }

    /**
     * Restores what {@link #save} saved.
     *
     * @param name prefix of the entries' names
     * @param saved the checkpoint
     * @throws IllegalArgumentException if the saved state does not fit
     */
    public void restore(String name, Snapshot saved) {
        boolean isSaved = saved.tensors().containsKey(name + "/mean");
        if (isSaved != mean.length > 0) {
            throw new IllegalArgumentException(
                    "the saved policy " + (isSaved ? "normalises" : "does not normalise") + " observations");
        }
        if (isSaved) {
            float[] means = saved.values(name + "/mean", mean.length);
            float[] deviations = saved.values(name + "/deviation", mean.length);
            for (int i = 0; i < mean.length; i++) {
                set(i, means[i], deviations[i]);
            }
            rows = saved.counter(name + "/rows");
        }
    }
}
