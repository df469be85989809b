package dev.pgkq.quadrature;

/**
 * The kernel matrix of N points, K_ij = k(x_i, x_j), and the worst-case error of quadrature rules against the uniform
 * measure on these points:
 *
 * <pre>
 *   wce²(w) = Σ_{i,j ∈ I} w_i w_j K_ij − 2 Σ_{i ∈ I} w_i z_i + c,   z_i = (1/N) Σ_j K_ij,   c = (1/N) Σ_i z_i
 * </pre>
 */
public final class GramMatrix {
    /** The largest difference between K_ij and K_ji, relative to the largest entry. */
    public static final double SYMMETRY_TOLERANCE = 1e-9;

    private static final int TILE = 32;

    private final int size;
    private final double[] values;
    private final double[] means;
    private final double mean;

    private GramMatrix(int size, double[] values) {
        this.size = size;
        this.values = values;
        this.means = new double[size];
        double sum = 0;
        for (int i = 0; i < size; i++) {
            double row = 0;
            for (int j = 0; j < size; j++) {
                row += values[i * size + j];
            }
            means[i] = row / size;
            sum += means[i];
        }
        this.mean = sum / size;
    }

    /**
     * Makes a matrix of its values.
     *
     * @param values row by row; the array is taken over
     * @return the matrix
     * @throws IllegalArgumentException if it is empty, not square, not finite, not symmetric to a relative
     *     {@link #SYMMETRY_TOLERANCE}, or has a negative diagonal entry
     */
    public static GramMatrix of(double[] values) {
        int size = (int) Math.round(Math.sqrt(values.length));
        if (size == 0 || size * size != values.length) {
            throw new IllegalArgumentException(
                    "a kernel matrix is square and not empty, not of " + values.length + " values");
        }
        double largest = 0;
        for (int i = 0; i < values.length; i++) {
            if (!Double.isFinite(values[i])) {
                throw new IllegalArgumentException("the kernel of points " + i / size + " and " + i % size + " is "
                        + values[i] + ": kernel values must be finite");
            }
            largest = Math.max(largest, Math.abs(values[i]));
        }
        for (int i = 0; i < size; i++) {
            if (values[i * size + i] < 0) {
                throw new IllegalArgumentException("the kernel of point " + i + " with itself is "
                        + values[i * size + i] + ": it must not be negative");
            }
        }
        requireSymmetric(values, size, SYMMETRY_TOLERANCE * largest);
        return new GramMatrix(size, values);
    }

    /** Tile by tile: walking down whole columns of a large matrix would miss the cache at every step. */
    private static void requireSymmetric(double[] values, int size, double tolerance) {
        for (int top = 0; top < size; top += TILE) {
            for (int left = 0; left <= top; left += TILE) {
                for (int i = top; i < Math.min(top + TILE, size); i++) {
                    for (int j = left; j < Math.min(left + TILE, i); j++) {
                        if (Math.abs(values[i * size + j] - values[j * size + i]) > tolerance) {
                            throw new IllegalArgumentException("the kernel of points " + i + " and " + j
                                    + " is not symmetric: " + values[i * size + j] + " and " + values[j * size + i]);
                        }
                    }
                }
            }
        }
    }

    /** {@return N} */
    public int size() {
        return size;
    }

    /**
     * Looks up an entry.
     *
     * @param i its row
     * @param j its column
     * @return K_ij
     */
    public double at(int i, int j) {
        return values[i * size + j];
    }

    /** All values, row by row; not to be changed. */
    double[] values() {
        return values;
    }

    /**
     * Looks up the mean of a row.
     *
     * @param i the row
     * @return z_i, the mean of the kernel between point i and all points
     */
    public double meanAt(int i) {
        return means[i];
    }

    /** {@return c, the mean of the kernel over all pairs} */
    public double mean() {
        return mean;
    }

    /**
     * Computes the squared worst-case error of a rule.
     *
     * @param rule points of this set with their weights
     * @return wce²; 0 where rounding makes it negative
     */
    public double squaredError(WeightedPoints rule) {
        int[] indices = rule.indices();
        double[] weights = rule.weights();
        double sum = mean;
        for (int a = 0; a < indices.length; a++) {
            double row = -2 * means[indices[a]];
            for (int b = 0; b < indices.length; b++) {
                row += weights[b] * at(indices[a], indices[b]);
            }
            sum += weights[a] * row;
        }
        return Math.max(0, sum);
    }

    /**
     * Computes the expected wce² of n points drawn without replacement, each with weight 1/n:
     *
     * <pre>
     *   (1/n) (1 − n/N) (N/(N−1)) (mean of the diagonal − c)
     * </pre>
     *
     * @param points n
     * @return E[wce²]; 0 if n ≥ N
     */
    public double expectedSquaredErrorOfRandom(int points) {
        if (points >= size) {
            return 0;
        }
        double diagonal = 0;
        for (int i = 0; i < size; i++) {
            diagonal += at(i, i);
        }
        double spread = Math.max(0, diagonal / size - mean);
        return spread / points * (size - points) / (size - 1.0);
    }
}
