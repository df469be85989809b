package dev.pgkq.bayes;

import dev.pgkq.linalg.SymmetricEigen;

/**
 * What is believed about y = φᵀ w + ε, with w ~ N(0, s² I) and ε ~ N(0, σ²), after some y were observed: w ~ N(μ, σ² P⁻¹) with
 *
 * <pre>
 *   P = Φᵀ Φ + ridge · I = U diag(λ_j + ridge) Uᵀ,   μ = P⁻¹ Φᵀ y,   ridge = σ²/s²
 * </pre>
 *
 * @param eigenvalues λ_j of Φᵀ Φ, not negative
 * @param vectors the eigenvectors u_j, one a row
 * @param ridge σ²/s²
 * @param noise σ²; NaN if nothing is known about it
 * @param mean μ
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Posterior(double[] eigenvalues, double[][] vectors, double ridge, double noise, double[] mean) {
    /** The ratio ρ = s²/σ² that is expected before anything is observed, for φ of mean square 1. */
    public static final double EXPECTED_RATIO = 10;

    /** Ratios ρ are searched from 10^LEAST to 10^MOST. */
    private static final double LEAST = -6;

    private static final double MOST = 9;
    private static final int STEPS_PER_DECADE = 8;

    /** Standard deviation of log₁₀ ρ, a priori. */
    private static final double DECADES = 2;

    /** σ² is at least this share of the mean square of y. */
    private static final double LEAST_NOISE = 1e-9;

    /**
     * {@return what is believed before anything was observed}
     *
     * @param features size of φ
     * @param meanSquare mean of ‖φ‖² over the rows of interest
     */
    public static Posterior prior(int features, double meanSquare) {
        double[][] vectors = new double[features][features];
        for (int j = 0; j < features; j++) {
            vectors[j][j] = 1;
        }
        double ridge = (meanSquare > 0 ? meanSquare : 1) / EXPECTED_RATIO;
        return new Posterior(new double[features], vectors, ridge, Double.NaN, new double[features]);
    }

    /**
     * Computes the posterior, with the ratio ρ of the largest evidence and the σ² that is most likely for it:
     *
     * <pre>
     *   log p(y | ρ) = −½ [n log σ²(ρ) + Σ_j log(1 + ρ λ_j)] + const,   σ²(ρ) = (yᵀ y − Σ_j ρ b_j² / (1 + ρ λ_j)) / n
     * </pre>
     *
     * with b = Uᵀ Φᵀ y, φ scaled to mean square 1, and a weak prior on log ρ. If all y are 0, they say nothing about ρ and σ².
     *
     * @param sums of the observations
     * @return the posterior; the {@link #prior} without rows
     */
    public static Posterior of(NormalEquations sums) {
        int d = sums.features();
        double unit = sums.meanSquare();
        if (sums.rows() < 1 || !(unit > 0)) {
            return prior(d, unit);
        }
        SymmetricEigen eigen = SymmetricEigen.largest(sums.products(), d, d);
        double[] values = eigen.values();
        double[] projected = new double[d];
        for (int j = 0; j < d; j++) {
            values[j] = Math.max(0, values[j]);
            projected[j] = dot(eigen.vectors()[j], sums.moments());
        }
        if (!(sums.squares() > 0)) {
            return new Posterior(values, eigen.vectors(), unit / EXPECTED_RATIO, Double.NaN, new double[d]);
        }
        double ratio = bestRatio(values, projected, sums, unit);
        double ridge = unit / ratio;
        double[] mean = new double[d];
        for (int j = 0; j < d; j++) {
            double coordinate = projected[j] / (values[j] + ridge);
            for (int i = 0; i < d; i++) {
                mean[i] += coordinate * eigen.vectors()[j][i];
            }
        }
        double noise = share(ridge, values, projected, sums) * (sums.squares() / sums.rows());
        return new Posterior(values, eigen.vectors(), ridge, noise, mean);
    }

    private static double bestRatio(double[] values, double[] projected, NormalEquations sums, double unit) {
        double best = Double.NEGATIVE_INFINITY;
        double ratio = EXPECTED_RATIO;
        for (int i = 0; i <= (MOST - LEAST) * STEPS_PER_DECADE; i++) {
            double exponent = LEAST + (double) i / STEPS_PER_DECADE;
            double candidate = Math.pow(10, exponent);
            double evidence = logEvidence(unit / candidate, values, projected, sums);
            double away = (exponent - Math.log10(EXPECTED_RATIO)) / DECADES;
            double score = evidence - 0.5 * away * away;
            if (score > best) {
                best = score;
                ratio = candidate;
            }
        }
        return ratio;
    }

    /** log p(y) up to a constant, with the most likely σ². */
    static double logEvidence(double ridge, double[] values, double[] projected, NormalEquations sums) {
        double determinant = 0;
        for (double value : values) {
            determinant += Math.log1p(value / ridge);
        }
        // relative to the mean square, so that the unit of y does not matter, not even for rounding
        return -0.5 * (sums.rows() * Math.log(share(ridge, values, projected, sums)) + determinant);
    }

    /** The share of yᵀ y that the regression leaves to noise. */
    private static double share(double ridge, double[] values, double[] projected, NormalEquations sums) {
        double left = sums.squares();
        for (int j = 0; j < values.length; j++) {
            left -= projected[j] * projected[j] / (values[j] + ridge);
        }
        return Math.max(left / sums.squares(), LEAST_NOISE);
    }

    /** {@return d, the size of φ} */
    public int features() {
        return eigenvalues.length;
    }

    /** {@return whether something is known about σ², and so about the size of errors} */
    public boolean isInformed() {
        return !Double.isNaN(noise);
    }

    /**
     * {@return the matrix W = diag((λ_j + ridge)^{−½}) Uᵀ, d × d: with it, φᵀ P⁻¹ φ' = ⟨W φ, W φ'⟩}
     */
    public double[] whitening() {
        int d = features();
        double[] matrix = new double[d * d];
        for (int j = 0; j < d; j++) {
            double scale = 1 / Math.sqrt(eigenvalues[j] + ridge);
            for (int i = 0; i < d; i++) {
                matrix[j * d + i] = scale * vectors[j][i];
            }
        }
        return matrix;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
