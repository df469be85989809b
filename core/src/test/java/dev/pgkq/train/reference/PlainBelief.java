package dev.pgkq.train.reference;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What kq-bayes believes about rewards, from the section of that name in {@code docs/algorithms.md}. Every paid row is kept, and
 * matrices of features are dense, decomposed anew whenever something was learned.
 * Only the choice among many episodes takes a shortcut: it updates an inverse by one row after another.
 */
final class PlainBelief {
    private static final int RANDOM_FEATURES = 300;

    /** The size of φ, as D + 1 more than the random features and the constant. */
    private final int width;

    private final boolean sums;
    private final double gamma;
    private final double[][] directions;
    private final double[] biases;

    /** Mean and deviation of the components of z in the first batch; empty before. */
    private double[] shift = {};

    private double[] unit = {};

    /** The mean of ‖f‖² in the first batch. */
    private double squareOfFirst;

    /** f and y of everything that was paid for. */
    private final List<double[]> rows = new ArrayList<>();

    private final List<Double> values = new ArrayList<>();

    /** f̄, ȳ, μ, P, P⁻¹, ρ and σ², which is NaN while it is unknown. */
    private double[] centre;

    private double meanValue;
    private double[] weights;
    private double[][] precision = new double[0][];
    private double[][] inverse = new double[0][];
    private double ratio;
    private double variance = Double.NaN;

    /** 1 + Σ n_k and 1 + Σ n_k R_k over past iterations, the older the less. */
    double pooledCount = 1;

    double pooledSquares = 1;

    PlainBelief(long seed, int components, boolean sums, double gamma) {
        this.sums = sums;
        this.gamma = gamma;
        this.width = RANDOM_FEATURES + components + 2;
        this.centre = new double[width];
        this.weights = new double[width];
        this.directions = new double[RANDOM_FEATURES][components];
        this.biases = new double[RANDOM_FEATURES];
        RandomStream random = RandomStream.of(seed, Purpose.REWARD_FEATURES);
        for (int j = 0; j < RANDOM_FEATURES; j++) {
            biases[j] = random.nextGaussian();
            for (int i = 0; i < components; i++) {
                directions[j][i] = random.nextGaussian() / Math.sqrt(components);
            }
        }
    }

    // ------------------------------------------------------------------------------------------------- features

    /** Takes units from the first batch. */
    void meet(List<Trajectory> batch) {
        if (shift.length > 0) {
            return;
        }
        List<double[]> steps = steps(batch);
        int components = directions[0].length;
        shift = new double[components];
        unit = new double[components];
        for (int i = 0; i < components; i++) {
            for (double[] z : steps) {
                shift[i] += z[i] / steps.size();
            }
            double square = 0;
            for (double[] z : steps) {
                square += (z[i] - shift[i]) * (z[i] - shift[i]) / steps.size();
            }
            unit[i] = Math.sqrt(square) > 1e-6 * Math.abs(shift[i]) ? Math.sqrt(square) : 1;
        }
        int count = 0;
        for (Trajectory episode : batch) {
            for (double[] f : rows(episode)) {
                squareOfFirst += dot(f, f);
                count++;
            }
        }
        squareOfFirst /= count;
        condition();
    }

    private static List<double[]> steps(List<Trajectory> batch) {
        List<double[]> steps = new ArrayList<>();
        for (Trajectory episode : batch) {
            for (int t = 0; t < episode.length(); t++) {
                steps.add(episode.transition(t));
            }
        }
        return steps;
    }

    /** {@return φ of a step} */
    private double[] features(Trajectory episode, int t) {
        double[] z = episode.transition(t);
        double[] features = new double[width];
        for (int j = 0; j < RANDOM_FEATURES; j++) {
            double sum = biases[j];
            for (int i = 0; i < z.length; i++) {
                sum += directions[j][i] * (z[i] - shift[i]) / unit[i];
            }
            features[j] = Math.max(0, sum);
        }
        for (int i = 0; i < z.length; i++) {
            features[RANDOM_FEATURES + i] =
                    0.3 * Math.sqrt((double) RANDOM_FEATURES / z.length) * (z[i] - shift[i]) / unit[i];
        }
        features[width - 2] = episode.endsAfter(t) ? 3 * Math.sqrt(RANDOM_FEATURES) : 0;
        features[width - 1] = 1;
        return features;
    }

    /** {@return what an episode would add to the rows: φ of every step, or Σ_t γ^t φ(z_t)} */
    private List<double[]> rows(Trajectory episode) {
        List<double[]> all = new ArrayList<>();
        double[] sum = new double[width];
        for (int t = 0; t < episode.length(); t++) {
            double[] features = features(episode, t);
            all.add(features);
            for (int j = 0; j < width; j++) {
                sum[j] += Math.pow(gamma, t) * features[j];
            }
        }
        return sums && !all.isEmpty() ? List.of(sum) : all;
    }

    /** {@return the values of these rows: r_t of every step, or γ^{t₀} S} */
    private double[] values(double[] rewards) {
        int last = rewards.length - 1;
        return sums && last >= 0 ? new double[] {Math.pow(gamma, last) * rewards[last]} : rewards;
    }

    private double[] centred(double[] row) {
        double[] centred = row.clone();
        for (int j = 0; j < width; j++) {
            centred[j] -= centre[j];
        }
        return centred;
    }

    // -------------------------------------------------------------------------------------------------- learning

    /** Adds the rows of a paid episode. */
    void add(Trajectory episode, double[] rewards) {
        rows.addAll(rows(episode));
        for (double y : values(rewards)) {
            values.add(y);
        }
    }

    /** Computes the posterior of everything that was added. */
    void condition() {
        int count = rows.size();
        meanValue = values.stream().mapToDouble(y -> y).average().orElse(0);
        double[] y = values.stream().mapToDouble(value -> value - meanValue).toArray();
        ratio = 10;
        if (count < 2) {
            precision = diagonal(squareOfFirst / ratio);
            inverse = diagonal(ratio / squareOfFirst);
            return;
        }
        for (int j = 0; j < width; j++) {
            double mean = 0;
            double square = 0;
            for (double[] row : rows) {
                mean += row[j] / count;
                square += row[j] * row[j] / count;
            }
            double spread = 0;
            for (double[] row : rows) {
                spread += (row[j] - mean) * (row[j] - mean) / count;
            }
            centre[j] = spread < 1e-10 * square ? 0 : mean;
        }
        double[][] f = rows.stream().map(this::centred).toArray(double[][]::new);
        double u = 0;
        for (double[] row : f) {
            u += dot(row, row) / (count - 1);
        }
        if (values.stream().distinct().count() > 1) {
            chooseRatio(f, y, u);
        }
        precision = diagonal(u / ratio);
        inverse = diagonal(ratio / u);
        double[] products = new double[width];
        for (int i = 0; i < count; i++) {
            add(precision, f[i]);
            learn(inverse, f[i]);
            for (int j = 0; j < width; j++) {
                products[j] += f[i][j] * y[i];
            }
        }
        weights = PositiveDefinite.of(precision).orElseThrow().solve(products);
    }

    /**
     * ρ and its σ². With m rows and G = F Fᵀ ρ/u, det(P ρ/u) = det(I + G) and y² − yᵀ F P⁻¹ Fᵀ y = yᵀ (I + G)⁻¹ y: matrices of
     * m × m.
     */
    private void chooseRatio(double[][] f, double[] y, double u) {
        double best = Double.NEGATIVE_INFINITY;
        double degrees = y.length - 1;
        double[][] products = new double[y.length][y.length];
        for (int i = 0; i < y.length; i++) {
            for (int j = 0; j < y.length; j++) {
                products[i][j] = dot(f[i], f[j]);
            }
        }
        for (int k = 0; k <= 120; k++) {
            double exponent = -6 + k / 8.0;
            double rho = Math.pow(10, exponent);
            double[][] matrix = new double[y.length][y.length];
            for (int i = 0; i < y.length; i++) {
                for (int j = 0; j < y.length; j++) {
                    matrix[i][j] = products[i][j] * rho / u + (i == j ? 1 : 0);
                }
            }
            PositiveDefinite decomposed = PositiveDefinite.of(matrix).orElseThrow();
            double noise = Math.max(dot(y, decomposed.solve(y)), 1e-9 * dot(y, y)) / degrees;
            double evidence = -0.5 * (degrees * Math.log(noise) + decomposed.logDeterminant());
            double score = evidence - 0.5 * Math.pow((exponent - 1) / 2, 2);
            if (score > best) {
                best = score;
                ratio = rho;
                variance = noise;
            }
        }
    }

    private double[][] diagonal(double value) {
        double[][] matrix = new double[width][width];
        for (int j = 0; j < width; j++) {
            matrix[j][j] = value;
        }
        return matrix;
    }

    /** Adds x xᵀ. */
    private void add(double[][] matrix, double[] x) {
        for (int i = 0; i < width; i++) {
            for (int j = 0; j < width; j++) {
                matrix[i][j] += x[i] * x[j];
            }
        }
    }

    // ------------------------------------------------------------------------------------------------- estimates

    /** {@return c + φᵀμ of every step; where an episode has one number, c comes with the last step} */
    double[] rewards(Trajectory episode) {
        double[] rewards = new double[episode.length()];
        for (int t = 0; t < rewards.length; t++) {
            double share = sums ? t == rewards.length - 1 ? Math.pow(gamma, -t) : 0 : 1;
            rewards[t] = dot(features(episode, t), weights) + share * intercept();
        }
        return rewards;
    }

    /** {@return c} */
    double intercept() {
        return meanValue - dot(centre, weights);
    }

    /** {@return whether σ² is known} */
    boolean knowsNoise() {
        return variance > 0;
    }

    // ----------------------------------------------------------------------------------------------- uncertainty

    /**
     * The expected squared error of Σ_e Σ_t v_t r̂_t, in units of σ².
     *
     * @param v of every step of every episode
     */
    final class Uncertainty {
        private final List<List<double[]>> taught = new ArrayList<>();
        private final List<double[][]> contributions = new ArrayList<>();
        private final double[] noise;
        private final int dimensions;

        Uncertainty(List<Trajectory> batch, List<double[][]> v) {
            dimensions = v.stream()
                    .filter(of -> of.length > 0)
                    .mapToInt(of -> of[0].length)
                    .findFirst()
                    .orElse(0);
            noise = new double[batch.size()];
            for (int e = 0; e < batch.size(); e++) {
                taught.add(rows(batch.get(e)).stream()
                        .map(PlainBelief.this::centred)
                        .toList());
                double[][] contribution = new double[dimensions][width];
                for (int t = 0; t < batch.get(e).length(); t++) {
                    double[] features = features(batch.get(e), t);
                    double[] phi = sums ? features : centred(features);
                    for (int d = 0; d < dimensions; d++) {
                        for (int j = 0; j < width; j++) {
                            contribution[d][j] += phi[j] * v.get(e)[t][d];
                        }
                    }
                    noise[e] += dot(v.get(e)[t], v.get(e)[t]);
                }
                contributions.add(contribution);
            }
        }

        /** {@return E_S/σ² with the matrix inverted for S} */
        double error(List<Integer> chosen) {
            double[][] matrix = copy(precision);
            for (int e : chosen) {
                taught.get(e).forEach(row -> add(matrix, row));
            }
            PositiveDefinite decomposed = PositiveDefinite.of(matrix).orElseThrow();
            double error = noise(chosen);
            for (double[] column : unknown(chosen)) {
                error += dot(column, decomposed.solve(column));
            }
            return error;
        }

        /** {@return E_S/σ² with each episode in addition to those chosen; infinite for these} */
        double[] errorsWith(List<Integer> chosen) {
            double[][] known = copy(inverse);
            chosen.forEach(e -> taught.get(e).forEach(row -> learn(known, row)));
            double[] errors = new double[taught.size()];
            for (int e = 0; e < errors.length; e++) {
                if (chosen.contains(e)) {
                    errors[e] = Double.POSITIVE_INFINITY;
                    continue;
                }
                double[][] then = copy(known);
                taught.get(e).forEach(row -> learn(then, row));
                List<Integer> with = new ArrayList<>(chosen);
                with.add(e);
                errors[e] = noise(with);
                for (double[] column : unknown(with)) {
                    errors[e] += dot(column, times(then, column));
                }
            }
            return errors;
        }

        /** {@return the expected square of the error of what an episode contributes, or of its number} */
        double variance(int e) {
            if (sums) {
                double sum = 1;
                for (double[] row : taught.get(e)) {
                    sum += dot(row, times(inverse, row));
                }
                return variance * sum;
            }
            double sum = noise[e];
            for (double[] column : contributions.get(e)) {
                sum += dot(column, times(inverse, column));
            }
            return variance * sum;
        }

        /** {@return Σ_e q_e of those whose rewards would be estimated; none where estimates replace all rewards} */
        private double noise(List<Integer> chosen) {
            double sum = 0;
            for (int e = 0; e < noise.length; e++) {
                sum += sums || chosen.contains(e) ? 0 : noise[e];
            }
            return sum;
        }

        /** {@return the columns of B} */
        private double[][] unknown(List<Integer> chosen) {
            double[][] columns = new double[dimensions][width];
            for (int e = 0; e < noise.length; e++) {
                for (int d = 0; d < dimensions && (sums || !chosen.contains(e)); d++) {
                    for (int j = 0; j < width; j++) {
                        columns[d][j] += contributions.get(e)[d][j];
                    }
                }
            }
            return columns;
        }
    }

    /** {@return σ²; NaN if it is unknown} */
    double noiseVariance() {
        return variance;
    }

    /** Replaces Q by (Q⁻¹ + x xᵀ)⁻¹. */
    private void learn(double[][] q, double[] x) {
        double[] qx = times(q, x);
        double scale = 1 / (1 + dot(x, qx));
        for (int i = 0; i < width; i++) {
            double factor = scale * qx[i];
            double[] row = q[i];
            for (int j = 0; j < width; j++) {
                row[j] -= factor * qx[j];
            }
        }
    }

    // ----------------------------------------------------------------------------------------------- calibration

    /** {@return κ} */
    double inflation() {
        return pooledSquares / pooledCount;
    }

    /**
     * Compares what was expected of newly paid episodes with what happened, before they are learned from.
     *
     * @param squares Σ_e ‖D_e‖²
     * @param expected its expectation
     * @param count of episodes
     */
    void calibrate(double squares, double expected, int count) {
        pooledCount = 0.8 * pooledCount + count;
        pooledSquares = 0.8 * pooledSquares + count * Math.min(1000, squares / expected);
    }

    /** {@return what was paid for, less what is expected: for every step, or for the number of the episode} */
    double[] errors(Trajectory episode, double[] rewards) {
        List<double[]> f = rows(episode);
        double[] errors = values(rewards).clone();
        for (int i = 0; i < errors.length; i++) {
            errors[i] -= intercept() + dot(f.get(i), weights);
        }
        return errors;
    }

    /**
     * {@return ‖D_e‖² of a paid episode: of Σ_t v_t (r_t − r̂_t), or of its number}
     */
    double squaredError(Trajectory episode, double[] rewards, double[][] v) {
        double[] errors = errors(episode, rewards);
        if (sums) {
            return dot(errors, errors);
        }
        double sum = 0;
        for (int d = 0; d < (v.length == 0 ? 0 : v[0].length); d++) {
            double error = 0;
            for (int t = 0; t < errors.length; t++) {
                error += v[t][d] * errors[t];
            }
            sum += error * error;
        }
        return sum;
    }

    // ---------------------------------------------------------------------------------------------------- algebra

    private static double[][] copy(double[][] matrix) {
        return Arrays.stream(matrix).map(double[]::clone).toArray(double[][]::new);
    }

    private static double[] times(double[][] matrix, double[] x) {
        double[] product = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            product[i] = dot(matrix[i], x);
        }
        return product;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
