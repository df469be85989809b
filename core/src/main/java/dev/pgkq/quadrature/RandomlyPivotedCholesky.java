package dev.pgkq.quadrature;

import dev.pgkq.random.RandomStream;
import java.util.Arrays;

/**
 * Randomly pivoted Cholesky [1]. Each point is drawn with a probability proportional to the diagonal of the residual
 * K − F Fᵀ, which is then updated with the column of that point.
 *
 * <p>Pivots cover the set but are not distributed like it, so equal weights would be wrong. The weight of a pivot is
 * the share of the points that are nearest to it in the kernel's distance, ‖φ_i − φ_p‖² = K_ii + K_pp − 2 K_ip.
 *
 * <ol>
 *   <li>Y. Chen, E. Epperly, J. Tropp, R. Webber: Randomly pivoted Cholesky. Communications on Pure and Applied
 *       Mathematics, 2025.
 * </ol>
 */
public record RandomlyPivotedCholesky() implements QuadratureRule {
    /** No more points are drawn once the trace of the residual is below this share of the trace of K. */
    private static final double EXHAUSTED = 1e-13;

    @Override
    public WeightedPoints chooseFew(GramMatrix gram, int points, RandomStream random) {
        int size = gram.size();
        double[] residual = new double[size];
        double total = 0;
        for (int i = 0; i < size; i++) {
            residual[i] = gram.at(i, i);
            total += residual[i];
        }
        double[][] factors = new double[points][];
        int[] pivots = new int[points];
        int count = 0;
        while (count < points) {
            int pivot = count == 0 && !(total > 0) ? random.nextInt(size) : draw(residual, EXHAUSTED * total, random);
            if (pivot < 0) {
                break;
            }
            factors[count] = column(gram, factors, count, pivot, residual[pivot]);
            pivots[count++] = pivot;
            for (int i = 0; i < size; i++) {
                residual[i] = Math.max(0, residual[i] - factors[count - 1][i] * factors[count - 1][i]);
            }
            residual[pivot] = 0;
        }
        return nearestShares(gram, Arrays.copyOf(pivots, count));
    }

    /** An index drawn with probability proportional to its residual; −1 where the residual is exhausted. */
    private static int draw(double[] residual, double threshold, RandomStream random) {
        double sum = 0;
        for (double value : residual) {
            sum += value;
        }
        if (!(sum > threshold)) {
            return -1;
        }
        double left = random.nextDouble() * sum;
        int last = -1;
        for (int i = 0; i < residual.length; i++) {
            if (residual[i] > 0) {
                last = i;
                left -= residual[i];
                if (left < 0) {
                    return i;
                }
            }
        }
        return last;
    }

    private static double[] column(GramMatrix gram, double[][] factors, int count, int pivot, double residual) {
        double[] column = new double[gram.size()];
        double root = Math.sqrt(residual);
        if (!(root > 0)) {
            return column;
        }
        for (int i = 0; i < column.length; i++) {
            column[i] = gram.at(pivot, i);
        }
        for (int k = 0; k < count; k++) {
            double[] factor = factors[k];
            double share = factor[pivot];
            for (int i = 0; i < column.length; i++) {
                column[i] -= factor[i] * share;
            }
        }
        for (int i = 0; i < column.length; i++) {
            column[i] /= root;
        }
        return column;
    }

    private static WeightedPoints nearestShares(GramMatrix gram, int[] pivots) {
        int[] counts = new int[pivots.length];
        for (int i = 0; i < gram.size(); i++) {
            int nearest = 0;
            double least = Double.POSITIVE_INFINITY;
            for (int p = 0; p < pivots.length; p++) {
                double distance = i == pivots[p]
                        ? Double.NEGATIVE_INFINITY
                        : gram.at(pivots[p], pivots[p]) - 2 * gram.at(i, pivots[p]);
                if (distance < least) {
                    least = distance;
                    nearest = p;
                }
            }
            counts[nearest]++;
        }
        double[] weights = new double[pivots.length];
        for (int p = 0; p < pivots.length; p++) {
            weights[p] = (double) counts[p] / gram.size();
        }
        return new WeightedPoints(pivots, weights);
    }
}
