package dev.pgkq.gp;

/**
 * The steps of N episodes as an episodic kernel sees them. The arrays are handed over.
 *
 * @param starts N + 1 ascending entries from 0: episode i is rows starts[i] … starts[i + 1] − 1, and may be empty
 * @param features size of an embedding
 * @param embeddings f(z), rows × features
 * @param dimensions size of a weight: 1 where weights are numbers
 * @param weights v, rows × dimensions
 */
public record EmbeddedEpisodes(int[] starts, int features, float[] embeddings, int dimensions, float[] weights) {
    public EmbeddedEpisodes {
        if (starts.length == 0 || starts[0] != 0) {
            throw new IllegalArgumentException(
                    "the first episode starts at row 0, and the end of the last is told too");
        }
        for (int i = 1; i < starts.length; i++) {
            if (starts[i] < starts[i - 1]) {
                throw new IllegalArgumentException(
                        "episode " + (i - 1) + " ends at row " + starts[i] + ", before its start " + starts[i - 1]);
            }
        }
        checkValues("embeddings", embeddings, starts[starts.length - 1], features);
        checkValues("weights", weights, starts[starts.length - 1], dimensions);
    }

    private static void checkValues(String what, float[] values, int rows, int columns) {
        if (columns < 1 || values.length != (long) rows * columns) {
            throw new IllegalArgumentException(
                    what + ": " + values.length + " values are not " + rows + " rows of " + columns);
        }
        for (int i = 0; i < values.length; i++) {
            if (!Float.isFinite(values[i])) {
                throw new IllegalArgumentException(what + " of row " + i / columns + " contain " + values[i]);
            }
        }
    }

    /** N. */
    public int count() {
        return starts.length - 1;
    }

    /** Steps of all episodes together. */
    public int rows() {
        return starts[starts.length - 1];
    }

    /** Steps of one episode. */
    public int length(int episode) {
        return starts[episode + 1] - starts[episode];
    }

    /** Σ_t ‖v_t‖² over the last {@code count} steps: what noise of variance 1 in them adds to K of an episode with itself. */
    public double squaredWeights(int episode, int count) {
        int from = Math.max(starts[episode], starts[episode + 1] - count);
        double squares = 0;
        for (int i = from * dimensions; i < starts[episode + 1] * dimensions; i++) {
            squares += (double) weights[i] * weights[i];
        }
        return squares;
    }

    /** Mean embedding. Kernels do not see it; taking it away leaves the digits to what they do see. */
    double[] mean() {
        double[] mean = new double[features];
        for (int row = 0; row < rows(); row++) {
            for (int k = 0; k < features; k++) {
                mean[k] += embeddings[row * features + k];
            }
        }
        for (int k = 0; k < features; k++) {
            mean[k] /= Math.max(1, rows());
        }
        return mean;
    }
}
