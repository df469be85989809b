package dev.pgkq.gp;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.function.DoubleUnaryOperator;

/** Episodes with normal embeddings and weights, and their kernel by its formula. */
final class RandomEpisodes {
    static final int USUAL_FEATURES = 10;
    /** Around the ends of groups, blocks and pairs of blocks. */
    static final int[] LENGTHS = {17, 0, 1, 15, 16, 33, 5, 32, 64};

    private RandomEpisodes() {}

    static EmbeddedEpisodes of(int dimensions, int... lengths) {
        return of(USUAL_FEATURES, dimensions, lengths);
    }

    static EmbeddedEpisodes of(int features, int dimensions, int[] lengths) {
        int[] starts = new int[lengths.length + 1];
        for (int i = 0; i < lengths.length; i++) {
            starts[i + 1] = starts[i] + lengths[i];
        }
        int rows = starts[lengths.length];
        RandomStream random = RandomStream.of(rows, Purpose.CHECK, features, dimensions);
        return new EmbeddedEpisodes(
                starts, features, normals(random, rows * features), dimensions, normals(random, rows * dimensions));
    }

    private static float[] normals(RandomStream random, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }

    static double[] bruteForce(EmbeddedEpisodes episodes) {
        return bruteForce(episodes, inner -> inner);
    }

    /** Σ_t Σ_u |⟨v_t, v_u⟩| exp(…): what rounding is measured by, for sums in which much cancels. */
    static double[] sizesOfSums(EmbeddedEpisodes episodes) {
        return bruteForce(episodes, Math::abs);
    }

    private static double[] bruteForce(EmbeddedEpisodes episodes, DoubleUnaryOperator ofInner) {
        int n = episodes.count();
        double[] gram = new double[n * n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int t = episodes.starts()[i]; t < episodes.starts()[i + 1]; t++) {
                    for (int u = episodes.starts()[j]; u < episodes.starts()[j + 1]; u++) {
                        gram[i * n + j] += ofInner.applyAsDouble(inner(episodes, t, u))
                                * Math.exp(-squaredDistance(episodes, t, u) / 20);
                    }
                }
            }
        }
        return gram;
    }

    private static double inner(EmbeddedEpisodes episodes, int t, int u) {
        double sum = 0;
        for (int k = 0; k < episodes.dimensions(); k++) {
            sum += (double) episodes.weights()[t * episodes.dimensions() + k]
                    * episodes.weights()[u * episodes.dimensions() + k];
        }
        return sum;
    }

    private static double squaredDistance(EmbeddedEpisodes episodes, int t, int u) {
        double sum = 0;
        for (int k = 0; k < episodes.features(); k++) {
            double difference = (double) episodes.embeddings()[t * episodes.features() + k]
                    - episodes.embeddings()[u * episodes.features() + k];
            sum += difference * difference;
        }
        return sum;
    }
}
