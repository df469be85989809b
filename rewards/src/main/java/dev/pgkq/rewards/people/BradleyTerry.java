package dev.pgkq.rewards.people;

import dev.pgkq.linalg.Cholesky;
import java.util.List;

/**
 * Computes scores from pairwise comparisons. Of two items with scores s_i and s_j, the first is preferred with probability
 *
 * <pre>
 *   p_ij = 1 / (1 + exp(−(s_i − s_j)))
 * </pre>
 *
 * [1, 2], and a tie counts as half a win for each. The scores have a Gaussian prior with mean m and precision matrix P, so that
 * they are determined and finite even with few comparisons or an item that wins all of them. With y the outcome of a comparison
 * (1, ½ or 0 for its first item), the log posterior density is, up to a constant,
 *
 * <pre>
 *   F(s)   = Σ y log p_ij + (1 − y) log(1 − p_ij) − ½ (s − m)ᵀ P (s − m)
 *   ∇F     = Σ (y − p_ij)(e_i − e_j) − P (s − m)
 *   −∇²F   = Σ p_ij (1 − p_ij)(e_i − e_j)(e_i − e_j)ᵀ + P
 * </pre>
 *
 * which is strictly concave if P is positive definite. Newton's method finds the maximum, halving steps that do not increase F;
 * (−∇²F)⁻¹ at the maximum is the covariance of the scores.
 *
 * <ol>
 *   <li>E. Zermelo: Die Berechnung der Turnier-Ergebnisse als ein Maximumproblem der Wahrscheinlichkeitsrechnung. Mathematische
 *       Zeitschrift 29, 1929.
 *   <li>R. Bradley, M. Terry: Rank analysis of incomplete block designs. Biometrika 39, 1952.
 * </ol>
 */
final class BradleyTerry {
    private static final int MOST_STEPS = 200;
    private static final int MOST_HALVINGS = 60;
    private static final double TOLERANCE = 1e-12;

    private final double[] mean;
    private final double[] precision;
    private final List<Comparison> comparisons;
    private final int n;

    /**
     * The outcome of a comparison.
     *
     * @param first index of the first item
     * @param second index of the second item
     * @param outcome 1 if the first was preferred, 0 if the second, ½ for a tie
     */
    record Comparison(int first, int second, double outcome) {
        Comparison {
            if (first == second) {
                throw new IllegalArgumentException("item " + first + " cannot be compared with itself");
            }
            if (!(outcome >= 0 && outcome <= 1)) {
                throw new IllegalArgumentException("an outcome must be between 0 and 1, got " + outcome);
            }
        }
    }

    /**
     * The fitted scores.
     *
     * @param scores maximum of the posterior density
     * @param covariance n × n
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Fit(double[] scores, double[] covariance) {
        /** The standard error of a score. */
        double error(int i) {
            return Math.sqrt(covariance[i * scores.length + i]);
        }
    }

    /**
     * A model of these comparisons.
     *
     * @param mean m, whose length is the number of scores
     * @param precision P, n × n and positive definite
     */
    BradleyTerry(double[] mean, double[] precision, List<Comparison> comparisons) {
        this.n = mean.length;
        if (precision.length != n * n) {
            throw new IllegalArgumentException(
                    "the precision matrix of " + n + " scores has " + precision.length + " elements");
        }
        for (Comparison comparison : comparisons) {
            if (Math.min(comparison.first, comparison.second) < 0
                    || Math.max(comparison.first, comparison.second) >= n) {
                throw new IllegalArgumentException(comparison + " refers to items beyond the " + n + " scores");
            }
        }
        this.mean = mean.clone();
        this.precision = precision.clone();
        this.comparisons = List.copyOf(comparisons);
    }

    /** Maximizes F. */
    Fit fit() {
        double[] s = mean.clone();
        double value = value(s);
        for (int step = 0; step < MOST_STEPS; step++) {
            double[] gradient = gradient(s);
            double[] covariance = covariance(s);
            double[] direction = new double[n];
            double largest = 0;
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    direction[i] += covariance[i * n + j] * gradient[j];
                }
                largest = Math.max(largest, Math.abs(direction[i]));
            }
            if (largest < TOLERANCE) {
                break;
            }
            double length = 1;
            double[] next = moved(s, direction, length);
            for (int halving = 0; value(next) < value && halving < MOST_HALVINGS; halving++) {
                length /= 2;
                next = moved(s, direction, length);
            }
            double reached = value(next);
            if (reached < value) {
                break; // rounding: no step increases F any more
            }
            s = next;
            value = reached;
        }
        return new Fit(s, covariance(s));
    }

    private static double[] moved(double[] s, double[] direction, double length) {
        double[] next = s.clone();
        for (int i = 0; i < s.length; i++) {
            next[i] += length * direction[i];
        }
        return next;
    }

    double value(double[] s) {
        double sum = 0;
        for (Comparison comparison : comparisons) {
            double difference = s[comparison.first] - s[comparison.second];
            sum -= comparison.outcome * softplus(-difference) + (1 - comparison.outcome) * softplus(difference);
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                sum -= 0.5 * (s[i] - mean[i]) * precision[i * n + j] * (s[j] - mean[j]);
            }
        }
        return sum;
    }

    double[] gradient(double[] s) {
        double[] gradient = new double[n];
        for (Comparison comparison : comparisons) {
            double surprise = comparison.outcome - probability(s[comparison.first] - s[comparison.second]);
            gradient[comparison.first] += surprise;
            gradient[comparison.second] -= surprise;
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                gradient[i] -= precision[i * n + j] * (s[j] - mean[j]);
            }
        }
        return gradient;
    }

    /** −∇²F. */
    double[] information(double[] s) {
        double[] information = precision.clone();
        for (Comparison comparison : comparisons) {
            int i = comparison.first;
            int j = comparison.second;
            double p = probability(s[i] - s[j]);
            double weight = p * (1 - p);
            information[i * n + i] += weight;
            information[j * n + j] += weight;
            information[i * n + j] -= weight;
            information[j * n + i] -= weight;
        }
        return information;
    }

    private double[] covariance(double[] s) {
        return Cholesky.of(information(s), n)
                .orElseThrow(() -> new IllegalArgumentException("the precision of the prior is not positive definite"))
                .inverse();
    }

    /** log(1 + exp(x)), without overflow. */
    private static double softplus(double x) {
        return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
    }

    private static double probability(double difference) {
        return 1 / (1 + Math.exp(-difference));
    }
}
