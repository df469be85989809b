package dev.pgkq.select;

import static dev.pgkq.linalg.Blas.Transpose.NO;
import static dev.pgkq.linalg.Blas.Transpose.YES;

import dev.pgkq.bayes.BatchFeatures;
import dev.pgkq.bayes.Posterior;
import dev.pgkq.episode.Steps;
import dev.pgkq.linalg.Blas;
import dev.pgkq.linalg.SymmetricEigen;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Chooses items, each a step or several, whose estimated rewards somebody else will use. If it is known what a reward is multiplied
 * by, such as projected scores ∇ log π, the choice is for the sum of these products. Otherwise it is for the mean of all rewards and
 * for each of them, with N items, errors e_j and
 *
 * <pre>
 *   E = (1/N) Σ_j e_j² + ((1/N) Σ_j e_j)².
 * </pre>
 *
 * <p>The first term is N times the squared error of a policy gradient, averaged over independent scores of variance 1 that are not
 * known. Where one number is known of an item, E is computed exactly: it is tr(Bᵀ P⁻¹ B) for any B with B Bᵀ = (1/N) Σ f_j f_jᵀ + f̄ f̄ᵀ.
 * Where the reward of every step is, the scores are drawn: random signs in {@value #SIGNS} dimensions.
 */
public final class ItemSelector {
    /** Dimensions of scores that are drawn. */
    private static final int SIGNS = 64;

    /** Directions of the features that the choice looks at where steps have rewards. */
    private static final int DIRECTIONS = 64;

    /** How many random choices are tried, to say what one would achieve. */
    private static final int TRIALS_OF_SUMS = 16;

    private static final int TRIALS_OF_STEPS = 4;

    private final Belief belief;
    private final long seed;
    private final Workers workers;

    /**
     * What to choose.
     *
     * @param pace decides how many
     * @param round 1, 2, …; keys random numbers
     * @param known items whose rewards the belief has learned from, which are not chosen
     * @param kept items that are chosen in any case
     * @param excluded items that are not chosen
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Request(Pace pace, int round, int[] known, int[] kept, int[] excluded) {}

    /**
     * What was chosen. Errors are E, in the squared unit of rewards; NaN while nothing is known about that.
     *
     * @param indices the chosen items, in their order
     * @param before E if none was paid for
     * @param after E with all of them
     * @param random E with as many random ones
     * @param variances the predicted mean square of what each chosen item contributes to errors, not inflated; empty if nothing is known
     * @param inner the inner products that give the best weights for their mean, row by row
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Chosen(
            int[] indices, double before, double after, double random, double[] variances, double[] inner) {}

    /**
     * Creates a selector.
     *
     * @param belief about rewards
     * @param seed determines random numbers
     * @param workers share the work
     */
    public ItemSelector(Belief belief, long seed, Workers workers) {
        this.belief = belief;
        this.seed = seed;
        this.workers = workers;
    }

    /**
     * Chooses items.
     *
     * @param steps of all items; each has at least one
     * @param factors x of every step, row by row: what its reward-to-go is multiplied by; empty if that is not known
     * @param request what to choose
     * @return the chosen items
     */
    public Chosen select(Steps steps, float[] factors, Request request) {
        BatchFeatures features = belief.features(steps);
        double[] centre = centre(steps, features);
        double[] sums = sums(steps, features, centre);
        GradientUncertainty uncertainty = belief.observesSteps()
                ? ofSteps(steps, features, centre, unknown(steps, credits(steps, factors, request.round()), request))
                : ofSums(steps, sums, factors);
        for (int[] out : new int[][] {request.known(), request.excluded()}) {
            for (int item : out) {
                uncertainty.exclude(item);
            }
        }
        boolean informed = belief.posterior().isInformed();
        double unit = informed ? belief.inflation() * belief.noise() : Double.NaN;
        double spread = informed ? spread(steps, factors) : Double.NaN;
        GreedyChoice choice = GreedyChoice.of(
                uncertainty,
                request.pace().atMost(steps.episodes()),
                request.round(),
                spread > 0 ? unit / spread : Double.NaN,
                request.kept());
        int[] indices = choice.indices();
        double[] errors = choice.errors(unit);
        double[] predicted = uncertainty.variances();
        double[] variances = informed
                ? Arrays.stream(indices)
                        .mapToDouble(item -> belief.noise() * predicted[item])
                        .toArray()
                : new double[0];
        return new Chosen(
                indices,
                errors[0],
                errors[indices.length],
                unit * random(uncertainty, steps.episodes(), request, indices.length),
                variances,
                inner(steps, sums, indices));
    }

    /**
     * Computes v of every step: what the error of its reward is multiplied by in the sum that matters.
     *
     * @param steps of all items
     * @param factors x of every step, row by row; empty if they are drawn
     * @param round 1, 2, …; keys random numbers
     * @return v, row by row
     */
    public float[] credits(Steps steps, float[] factors, int round) {
        int count = steps.episodes();
        int dimensions = dimensions(steps, factors);
        float[] credits = new float[steps.size() * dimensions];
        double[] mean = mean(steps, factors);
        for (int e = 0; e < count; e++) {
            double[] row = new double[dimensions];
            if (factors.length == 0) {
                RandomStream random = RandomStream.of(seed, Purpose.SCORE_PROJECTION, round, e);
                for (int d = 0; d < SIGNS; d++) {
                    row[d] = (random.nextLong() < 0 ? -1 : 1) / Math.sqrt((double) SIGNS * count);
                }
                row[SIGNS] = 1.0 / count;
            }
            for (int i = steps.start(e); i < steps.start(e + 1); i++) {
                for (int d = 0; d < dimensions; d++) {
                    row[d] += factors.length == 0 ? 0 : (factors[i * dimensions + d] - mean[d]) / count;
                    credits[i * dimensions + d] = (float) row[d];
                }
            }
        }
        return credits;
    }

    /** Rewards that are known have no error. */
    private static float[] unknown(Steps steps, float[] credits, Request request) {
        int dimensions = credits.length / steps.size();
        for (int e : request.known()) {
            Arrays.fill(credits, steps.start(e) * dimensions, steps.start(e + 1) * dimensions, 0);
        }
        return credits;
    }

    /**
     * {@return the size of v}
     *
     * @param steps of all items
     * @param factors x of every step, row by row; empty if they are drawn
     */
    public static int dimensions(Steps steps, float[] factors) {
        return factors.length == 0 ? SIGNS + 1 : factors.length / steps.size();
    }

    /** x̄: a baseline subtracts its multiple. */
    private static double[] mean(Steps steps, float[] factors) {
        double[] mean = new double[dimensions(steps, factors)];
        for (int i = 0; i < factors.length; i++) {
            mean[i % mean.length] += (double) factors[i] / steps.size();
        }
        return mean;
    }

    /** f̄: that of what was learned, or of the batch before two numbers are known, when only differences can be learned. */
    private double[] centre(Steps steps, BatchFeatures features) {
        double[] centre = belief.centre();
        if (Arrays.stream(centre).anyMatch(value -> value != 0)) {
            return centre;
        }
        double[] mean = new double[features.width()];
        int rows = belief.observesSteps() ? steps.size() : steps.episodes();
        for (int e = 0; e < steps.episodes(); e++) {
            features.addDiscounted(0, e, 1, mean, 0);
        }
        for (int j = 0; j < mean.length; j++) {
            mean[j] /= rows;
        }
        return mean;
    }

    /** f_e = Σ_t φ_t around the centre, row by row. */
    private double[] sums(Steps steps, BatchFeatures features, double[] centre) {
        int width = features.width();
        double[] sums = new double[steps.episodes() * width];
        workers.run(steps.episodes(), (worker, e) -> {
            int rows = belief.observesSteps() ? steps.length(e) : 1;
            for (int j = 0; j < width; j++) {
                sums[e * width + j] = -rows * centre[j];
            }
            features.addDiscounted(worker, e, 1, sums, e * width);
        });
        return sums;
    }

    private StepUncertainty ofSteps(Steps steps, BatchFeatures features, double[] centre, float[] credits) {
        return new StepUncertainty(
                belief.posterior(),
                steps.starts(),
                new CentredFeatures(features, centre, workers.count()),
                credits,
                credits.length / steps.size(),
                DIRECTIONS,
                workers);
    }

    private SumUncertainty ofSums(Steps steps, double[] sums, float[] factors) {
        int count = steps.episodes();
        int width = sums.length / count;
        if (factors.length == 0) {
            double[] targets = targets(sums, count, width);
            return new SumUncertainty(belief.posterior(), sums, targets, targets.length / width);
        }
        int dimensions = dimensions(steps, factors);
        double[] ofItems = ofItems(steps, factors);
        double[] targets = new double[width * dimensions];
        Blas.best().multiply(YES, NO, width, dimensions, count, sums, 0, ofItems, 0, 0, targets, 0);
        return new SumUncertainty(belief.posterior(), sums, targets, dimensions);
    }

    /** Σ_t (x_t − x̄) / N of every item. */
    private static double[] ofItems(Steps steps, float[] factors) {
        int dimensions = dimensions(steps, factors);
        double[] mean = mean(steps, factors);
        double[] sums = new double[steps.episodes() * dimensions];
        for (int e = 0; e < steps.episodes(); e++) {
            for (int i = steps.start(e); i < steps.start(e + 1); i++) {
                for (int d = 0; d < dimensions; d++) {
                    sums[e * dimensions + d] += (factors[i * dimensions + d] - mean[d]) / steps.episodes();
                }
            }
        }
        return sums;
    }

    /** B with B Bᵀ = (1/N) Σ f_j f_jᵀ + f̄ f̄ᵀ, width × any number of columns. */
    private static double[] targets(double[] sums, int count, int width) {
        double[] rows = Arrays.copyOf(sums, sums.length + width);
        for (int e = 0; e < count; e++) {
            for (int j = 0; j < width; j++) {
                rows[count * width + j] += sums[e * width + j] / count;
                rows[e * width + j] = sums[e * width + j] / Math.sqrt(count);
            }
        }
        if (count < width) {
            return transposed(rows, count + 1, width);
        }
        double[] square = new double[width * width];
        Blas.best().multiply(YES, NO, width, width, count + 1, rows, 0, rows, 0, 0, square, 0);
        SymmetricEigen eigen = SymmetricEigen.largest(square, width, width);
        double[] targets = new double[width * width];
        for (int k = 0; k < width; k++) {
            double scale = Math.sqrt(Math.max(0, eigen.values()[k]));
            for (int j = 0; j < width; j++) {
                targets[j * width + k] = scale * eigen.vectors()[k][j];
            }
        }
        return targets;
    }

    private static double[] transposed(double[] matrix, int rows, int columns) {
        double[] transposed = new double[matrix.length];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                transposed[j * rows + i] = matrix[i * columns + j];
            }
        }
        return transposed;
    }

    /** What errors are compared with: how far the sum that matters varies between items, as far as that is known. */
    private double spread(Steps steps, float[] factors) {
        double[] expected = belief.expected(steps);
        int count = steps.episodes();
        double[] totals = new double[count];
        for (int e = 0; e < count; e++) {
            for (int i = steps.start(e); i < steps.start(e + 1); i++) {
                totals[e] += expected[i];
            }
        }
        double mean = Arrays.stream(totals).average().orElse(0);
        if (factors.length == 0) {
            return Arrays.stream(totals)
                    .map(total -> (total - mean) * (total - mean) / count)
                    .sum();
        }
        int dimensions = dimensions(steps, factors);
        double[] own = ofItems(steps, factors);
        double[] sum = new double[dimensions];
        double squares = 0;
        for (int e = 0; e < count; e++) {
            for (int d = 0; d < dimensions; d++) {
                double value = (totals[e] - mean) * own[e * dimensions + d];
                sum[d] += value;
                squares += value * value;
            }
        }
        return count
                / (count - 1.0)
                * (squares
                        - Arrays.stream(sum).map(value -> value * value / count).sum());
    }

    /** The mean error of random choices. */
    private double random(GradientUncertainty uncertainty, int count, Request request, int chosen) {
        int[] available = IntStream.range(0, count)
                .filter(item -> Arrays.stream(request.known()).noneMatch(known -> known == item))
                .toArray();
        int size = Math.min(chosen, available.length);
        int trials = belief.observesSteps() ? TRIALS_OF_STEPS : TRIALS_OF_SUMS;
        double sum = 0;
        for (int trial = 0; trial < trials; trial++) {
            RandomStream random = RandomStream.of(seed, Purpose.SELECTION, request.round(), trial);
            int[] drawn = random.subset(available.length, size);
            Arrays.setAll(drawn, i -> available[drawn[i]]);
            sum += uncertainty.withAll(drawn);
        }
        return sum / trials;
    }

    /**
     * The inner products of the chosen items around the mean of all N in the posterior kernel k(e, e') = f_eᵀ P⁻¹ f_e' + δ, δ being the
     * noise of what is paid for. The weights of least norm give the weighted mean that is expected to be nearest to that of all.
     */
    private double[] inner(Steps steps, double[] sums, int[] indices) {
        int count = steps.episodes();
        Posterior posterior = belief.posterior();
        int width = posterior.features();
        int n = indices.length;
        double[] around = new double[n * width];
        double[] mean = new double[width];
        double noiseOfMean = 0;
        for (int e = 0; e < count; e++) {
            for (int j = 0; j < width; j++) {
                mean[j] += sums[e * width + j] / count;
            }
            noiseOfMean += noise(steps, e) / count / count;
        }
        for (int a = 0; a < n; a++) {
            for (int j = 0; j < width; j++) {
                around[a * width + j] = sums[indices[a] * width + j] - mean[j];
            }
        }
        double[] whitened = new double[n * width];
        Blas.best().multiply(NO, YES, n, width, width, around, 0, posterior.whitening(), 0, 0, whitened, 0);
        double[] inner = new double[n * n];
        Blas.best().multiply(NO, YES, n, n, width, whitened, 0, whitened, 0, 0, inner, 0);
        for (int a = 0; a < n; a++) {
            for (int b = 0; b < n; b++) {
                inner[a * n + b] += (a == b ? noise(steps, indices[a]) : 0)
                        - (noise(steps, indices[a]) + noise(steps, indices[b])) / count
                        + noiseOfMean;
            }
        }
        return inner;
    }

    /** The noise of what is paid for, in units of σ². */
    private double noise(Steps steps, int item) {
        return belief.observesSteps() ? steps.length(item) : 1;
    }
}
