package dev.pgkq.select;

import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.Steps;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.List;

/** Values at the steps of a few short episodes, drawn from the Gaussian process of a kernel. */
final class DrawnValues {
    static final int STATES = 3;
    static final int[] LENGTHS = {4, 1, 0, 7, 5, 3};

    private final double[][] root;

    DrawnValues(DeepKernel kernel, Steps steps) {
        this.root = cholesky(covariance(kernel, steps, 1e-6));
    }

    /**
     * Episodes of all lengths, with actions that a new policy may take.
     *
     * @param meanAction mean of the actions; the policy's is near 0, so that scores have a mean where this is not
     */
    static List<Episode> episodes(double meanAction) {
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        List<Episode> episodes = new ArrayList<>();
        for (int e = 0; e < LENGTHS.length; e++) {
            float[] observations = new float[LENGTHS[e] * STATES];
            float[] actions = new float[LENGTHS[e]];
            for (int i = 0; i < observations.length; i++) {
                observations[i] = (float) random.nextGaussian();
            }
            for (int i = 0; i < actions.length; i++) {
                actions[i] = (float) (meanAction + 0.4 * random.nextGaussian());
            }
            Ending ending = LENGTHS[e] == 0 ? Ending.DIVERGED : Ending.TERMINATED;
            episodes.add(new Episode(
                    1,
                    e,
                    LENGTHS[e],
                    observations,
                    actions,
                    new float[LENGTHS[e]],
                    new double[LENGTHS[e] + 1],
                    ending));
        }
        return episodes;
    }

    /** k between steps, from its definition. */
    static double[][] covariance(DeepKernel kernel, Steps all, double noise) {
        float[] f = kernel.embed(all.starts(), all.stateActions());
        double[][] k = new double[all.size()][all.size()];
        for (int t = 0; t < all.size(); t++) {
            for (int u = 0; u < all.size(); u++) {
                double squares = 0;
                for (int i = 0; i < DeepKernel.FEATURES; i++) {
                    squares += Math.pow(f[t * DeepKernel.FEATURES + i] - f[u * DeepKernel.FEATURES + i], 2);
                }
                k[t][u] = Math.exp(kernel.scale() - squares / 20) + (t == u ? noise : 0);
            }
        }
        return k;
    }

    double[] draw(RandomStream random) {
        double[] white = new double[root.length];
        double[] values = new double[root.length];
        for (int i = 0; i < root.length; i++) {
            white[i] = random.nextGaussian();
            for (int j = 0; j <= i; j++) {
                values[i] += root[i][j] * white[j];
            }
        }
        return values;
    }

    private static double[][] cholesky(double[][] matrix) {
        int n = matrix.length;
        double[][] root = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = matrix[i][j];
                for (int k = 0; k < j; k++) {
                    sum -= root[i][k] * root[j][k];
                }
                root[i][j] = i == j ? Math.sqrt(sum) : sum / root[j][j];
            }
        }
        return root;
    }
}
