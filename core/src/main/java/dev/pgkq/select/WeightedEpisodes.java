package dev.pgkq.select;

import dev.pgkq.episode.Episode;
import java.util.Arrays;
import java.util.List;

/**
 * Episodes of a batch that stand for all of it: Σ_i w_i δ_{e_i} ≈ (1/N) Σ_j δ_{e_j}.
 *
 * @param indices places in the batch, distinct
 * @param weights not negative, summing to 1
 */
public record WeightedEpisodes(int[] indices, double[] weights) {
    private static final double SUM_TOLERANCE = 1e-12;

    public WeightedEpisodes {
        if (indices.length != weights.length || indices.length == 0) {
            throw new IllegalArgumentException(indices.length + " episodes with " + weights.length + " weights");
        }
        if (Arrays.stream(indices).distinct().count() != indices.length) {
            throw new IllegalArgumentException("an episode is selected twice: " + Arrays.toString(indices));
        }
        double sum = 0;
        for (double weight : weights) {
            if (!(weight >= 0)) {
                throw new IllegalArgumentException("weight " + weight + " is not a number ≥ 0");
            }
            sum += weight;
        }
        if (Math.abs(sum - 1) > SUM_TOLERANCE * indices.length) {
            throw new IllegalArgumentException("weights sum to " + sum);
        }
    }

    /** Every episode of a batch of that size, each with weight 1/N. */
    public static WeightedEpisodes uniform(int count) {
        int[] indices = new int[count];
        double[] weights = new double[count];
        for (int i = 0; i < count; i++) {
            indices[i] = i;
            weights[i] = 1.0 / count;
        }
        return new WeightedEpisodes(indices, weights);
    }

    /** The selected ones of a batch, in the order of the indices. */
    public List<Episode> of(List<Episode> batch) {
        return Arrays.stream(indices).mapToObj(batch::get).toList();
    }
}
