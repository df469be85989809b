package dev.pgkq.gp;

import java.io.Serializable;
import java.util.List;

/**
 * The steps of N episodes as an episodic kernel sees them. The arrays are taken over.
 *
 * @param starts N + 1 ascending entries from 0: episode i is rows starts[i] … starts[i + 1] − 1, and may be empty
 * @param features size of an embedding
 * @param embeddings f(z), rows × features
 * @param dimensions size of a weight: 1 where weights are numbers
 * @param weights v, rows × dimensions
 */
public record EmbeddedEpisodes(int[] starts, int features, float[] embeddings, int dimensions, float[] weights)
        implements Serializable {
    /**
     * Checks sizes and values.
     *
     * @throws IllegalArgumentException if the starts do not ascend from 0, an array has the wrong size, or a value is
     *     not finite
     */
    public EmbeddedEpisodes {
        if (starts.length == 0 || starts[0] != 0) {
            throw new IllegalArgumentException(
                    "the first episode must start at row 0, and the last entry is where the last episode ends");
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

    /**
     * {@return these steps with other weights}
     *
     * @param other v, rows × dimensions
     * @throws IllegalArgumentException if the array has the wrong size, or a value is not finite
     */
    public EmbeddedEpisodes withWeights(float[] other) {
        return new EmbeddedEpisodes(starts, features, embeddings, dimensions, other);
    }

    /** {@return N} */
    public int count() {
        return starts.length - 1;
    }

    /** {@return the number of steps of all episodes together} */
    public int rows() {
        return starts[starts.length - 1];
    }

    /**
     * Looks up the length of an episode.
     *
     * @param episode its number
     * @return how many steps it has
     */
    public int length(int episode) {
        return starts[episode + 1] - starts[episode];
    }

    /**
     * Computes Σ_t ‖v_t‖² over the first steps of an episode: the variance that noise of variance 1 in them adds to K of
     * the episode with itself.
     *
     * @param episode its number
     * @param count number of steps
     * @return the sum of squares
     */
    public double squaredWeights(int episode, int count) {
        int to = Math.min(starts[episode] + count, starts[episode + 1]);
        double squares = 0;
        for (int i = starts[episode] * dimensions; i < to * dimensions; i++) {
            squares += (double) weights[i] * weights[i];
        }
        return squares;
    }

    /** The mean embedding. Kernels depend on differences only; subtracting the mean saves digits. */
    double[] mean() {
        double[] sums = new double[count() * features];
        for (int episode = 0; episode < count(); episode++) {
            System.arraycopy(sum(episode), 0, sums, episode * features, features);
        }
        return mean(sums, features, rows());
    }

    /**
     * Adds up the embeddings of an episode.
     *
     * @param episode its number
     * @return their sum
     */
    public double[] sum(int episode) {
        double[] sum = new double[features];
        for (int row = starts[episode]; row < starts[episode + 1]; row++) {
            for (int k = 0; k < features; k++) {
                sum[k] += embeddings[row * features + k];
            }
        }
        return sum;
    }

    /**
     * Computes the mean embedding of all episodes of a batch from the sums of each, which may come from several
     * machines. The bits do not depend on that.
     *
     * @param sums of each episode, row by row
     * @param features size of an embedding
     * @param steps number of steps of all episodes
     * @return the mean
     */
    public static double[] mean(double[] sums, int features, long steps) {
        double[] mean = new double[features];
        for (int i = 0; i < sums.length; i++) {
            mean[i % features] += sums[i];
        }
        for (int k = 0; k < features; k++) {
            mean[k] /= Math.max(1, steps);
        }
        return mean;
    }

    /** Concatenates episodes. */
    static EmbeddedEpisodes joined(List<EmbeddedEpisodes> parts) {
        EmbeddedEpisodes first = parts.getFirst();
        int episodes = parts.stream().mapToInt(EmbeddedEpisodes::count).sum();
        int rows = parts.stream().mapToInt(EmbeddedEpisodes::rows).sum();
        int[] starts = new int[episodes + 1];
        float[] embeddings = new float[rows * first.features];
        float[] weights = new float[rows * first.dimensions];
        int episode = 0;
        int row = 0;
        for (EmbeddedEpisodes part : parts) {
            for (int i = 1; i < part.starts.length; i++) {
                starts[++episode] = row + part.starts[i];
            }
            System.arraycopy(part.embeddings, 0, embeddings, row * first.features, part.embeddings.length);
            System.arraycopy(part.weights, 0, weights, row * first.dimensions, part.weights.length);
            row += part.rows();
        }
        return new EmbeddedEpisodes(starts, first.features, embeddings, first.dimensions, weights);
    }
}
