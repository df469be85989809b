package dev.pgkq.quadrature;

import java.util.Arrays;
import java.util.List;

/**
 * A quadrature rule: points of a finite set that stand for all of it, Σ_i w_i δ_{x_i} ≈ (1/N) Σ_j δ_{x_j}.
 *
 * @param indices places in the set, distinct; possibly none
 * @param weights not negative, summing to 1
 */
public record WeightedPoints(int[] indices, double[] weights) {
    /** The largest difference between the sum of the weights and 1. */
    public static final double SUM_TOLERANCE = 1e-12;

    /**
     * Checks the points and weights.
     *
     * @throws IllegalArgumentException if there are not as many weights as points, a point occurs twice, a
     *     weight is negative or NaN, or the weights do not sum to 1
     */
    public WeightedPoints {
        if (indices.length != weights.length) {
            throw new IllegalArgumentException(indices.length + " points with " + weights.length + " weights");
        }
        if (Arrays.stream(indices).distinct().count() != indices.length) {
            throw new IllegalArgumentException("a point occurs twice: " + Arrays.toString(indices));
        }
        double sum = 0;
        for (double weight : weights) {
            if (!(weight >= 0)) {
                throw new IllegalArgumentException("weight " + weight + " is not a number ≥ 0");
            }
            sum += weight;
        }
        if (indices.length > 0 && Math.abs(sum - 1) > SUM_TOLERANCE) {
            throw new IllegalArgumentException("weights sum to " + sum);
        }
    }

    /**
     * Gives points equal weights.
     *
     * @param indices the points
     * @return these points, each with the same weight
     */
    public static WeightedPoints equal(int... indices) {
        double[] weights = new double[indices.length];
        Arrays.fill(weights, 1.0 / indices.length);
        return new WeightedPoints(indices, weights);
    }

    /**
     * Takes a whole set.
     *
     * @param size N
     * @return all its points, each with weight 1/N
     */
    public static WeightedPoints all(int size) {
        int[] indices = new int[size];
        Arrays.setAll(indices, i -> i);
        return equal(indices);
    }

    /** The points with positive weights, which are scaled to sum to 1. */
    static WeightedPoints normalized(int[] indices, double[] weights) {
        int[] kept = new int[indices.length];
        double[] shares = new double[indices.length];
        int count = 0;
        double sum = 0;
        for (int i = 0; i < indices.length; i++) {
            if (weights[i] > 0) {
                kept[count] = indices[i];
                shares[count++] = weights[i];
                sum += weights[i];
            }
        }
        for (int i = 0; i < count; i++) {
            shares[i] /= sum;
        }
        return new WeightedPoints(Arrays.copyOf(kept, count), Arrays.copyOf(shares, count));
    }

    /** {@return the number of points} */
    public int size() {
        return indices.length;
    }

    /**
     * Picks the chosen elements of a list.
     *
     * @param all the set, as a list
     * @param <T> type of its elements
     * @return the chosen ones, in the order of the indices
     */
    public <T> List<T> of(List<T> all) {
        return Arrays.stream(indices).mapToObj(all::get).toList();
    }
}
