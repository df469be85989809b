package dev.pgkq.select;

import static dev.pgkq.linalg.Blas.Transpose.NO;
import static dev.pgkq.linalg.Blas.Transpose.YES;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.bayes.BatchFeatures;
import dev.pgkq.bayes.Posterior;
import dev.pgkq.episode.Steps;
import dev.pgkq.kernel.StepCredits;
import dev.pgkq.linalg.Blas;
import dev.pgkq.nn.Regression;
import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.WeightedPoints;
import java.util.Arrays;
import java.util.Optional;

/**
 * Chooses episodes one after the other: each time the one that reduces the expected squared error of the batch's gradient most,
 * given what is believed about rewards.
 */
public final class PosteriorSelector implements EpisodeSelector {
    /** Directions of the features that the choice looks at where steps have rewards. */
    private static final int DIRECTIONS = 64;

    /** Rows whose products are added in single precision. */
    private static final int CHUNK = 256;

    private final Belief belief;
    private final StepCredits credits;
    private final boolean centred;
    private final Pace pace;
    private final ExpectedAdvantages advantages;
    private final Workers workers;

    /** Computes advantages from expected rewards. */
    @FunctionalInterface
    public interface ExpectedAdvantages {
        /**
         * Computes g_t Â_t.
         *
         * @param steps of all episodes
         * @param rewards the expected reward of every step
         * @param baseline V
         * @return g_t Â_t of every step
         */
        double[] of(Steps steps, double[] rewards, Regression baseline);
    }

    /**
     * Creates a selector.
     *
     * @param belief about rewards
     * @param credits v, not centred
     * @param centred whether the mean factor of a batch is subtracted from its factors
     * @param pace decides how many
     * @param advantages computes advantages
     * @param workers share the work
     */
    public PosteriorSelector(
            Belief belief,
            StepCredits credits,
            boolean centred,
            Pace pace,
            ExpectedAdvantages advantages,
            Workers workers) {
        this.belief = belief;
        this.credits = credits;
        this.centred = centred;
        this.pace = pace;
        this.advantages = advantages;
        this.workers = workers;
    }

    @Override
    public Selection select(EpisodeBatch batch, Round round) {
        Pace limited = pace.within(round.allowed()).atMost(batch.size());
        Steps steps = batch.steps();
        float[] factors = credits.factors().of(steps);
        StepCredits around = centred ? credits.centredOn(steps.starts(), factors) : credits;
        GradientUncertainty uncertainty = uncertainty(steps, around.of(steps.starts(), factors));
        boolean informed = belief.posterior().isInformed();
        double unit = informed
                ? belief.inflation() * belief.noise() / samplingError(steps, factors, around.centre(), round.baseline())
                : Double.NaN;
        GreedyChoice choice = GreedyChoice.of(uncertainty, limited, round.iteration(), unit);
        double[] variances = informed
                ? Arrays.stream(uncertainty.variances())
                        .map(variance -> belief.noise() * variance)
                        .toArray()
                : new double[0];
        return new Selection(
                WeightedPoints.equal(choice.indices()),
                Optional.empty(),
                Optional.of(new Forecast(
                        choice.errors(unit), unit * choice.next(), belief.inflation(), around, variances)));
    }

    private GradientUncertainty uncertainty(Steps steps, float[] values) {
        BatchFeatures features = belief.features(steps);
        Posterior posterior = belief.posterior();
        return belief.observesSteps()
                ? new StepUncertainty(
                        posterior,
                        steps.starts(),
                        new CentredFeatures(features, belief.centre(), workers.count()),
                        values,
                        credits.dimensions(),
                        DIRECTIONS,
                        workers)
                : new SumUncertainty(
                        posterior, sums(steps, features), gradient(steps, features, values), credits.dimensions());
    }

    /**
     * How far Σ_e G_e would be from that of other episodes of the same policy, squared: N / (N − 1) Σ_e ‖G_e − Ḡ‖² with the
     * expected rewards. Not a number for a single episode, and while the expected rewards make no difference.
     */
    private double samplingError(Steps steps, float[] factors, double[] centre, Regression baseline) {
        double[] expected = advantages.of(steps, belief.expected(steps), baseline);
        int dimensions = centre.length;
        int count = steps.episodes();
        double[] sum = new double[dimensions];
        double[] own = new double[dimensions];
        double squares = 0;
        for (int e = 0; e < count; e++) {
            Arrays.fill(own, 0);
            for (int i = steps.start(e); i < steps.start(e + 1); i++) {
                for (int d = 0; d < dimensions; d++) {
                    own[d] += expected[i] * (factors[i * dimensions + d] - centre[d]);
                }
            }
            for (int d = 0; d < dimensions; d++) {
                sum[d] += own[d];
                squares += own[d] * own[d];
            }
        }
        double whole = 0;
        for (double value : sum) {
            whole += value * value;
        }
        double error = count / (count - 1.0) * (squares - whole / count);
        return error > 0 ? error : Double.NaN;
    }

    /** f_e = Σ_t γ^t φ_t around the mean of the paid ones, row by row. */
    private double[] sums(Steps steps, BatchFeatures features) {
        int width = features.width();
        double[] sums = new double[steps.episodes() * width];
        double[] centre = belief.centre();
        workers.run(steps.episodes(), (worker, e) -> {
            // an episode without steps has no number, and nothing can be learned from it
            for (int j = 0; j < width && steps.length(e) > 0; j++) {
                sums[e * width + j] = -centre[j];
            }
            features.addDiscounted(worker, e, credits.credit().discount(), sums, e * width);
        });
        return sums;
    }

    /** B = Σ_t φ_t v_tᵀ over all steps. */
    private double[] gradient(Steps steps, BatchFeatures features, float[] values) {
        int width = features.width();
        double[] sum = new double[width * credits.dimensions()];
        float[] part = new float[sum.length];
        float[] chunk = new float[CHUNK * width];
        int filled = 0;
        for (int e = 0; e < steps.episodes(); e++) {
            BatchFeatures.Rows rows = features.of(0, e);
            for (int i = steps.start(e); i < steps.start(e + 1); i++) {
                int from = rows.from() + (i - steps.start(e)) * width;
                System.arraycopy(rows.values(), from, chunk, filled * width, width);
                filled++;
                if (filled == CHUNK || i + 1 == steps.size()) {
                    add(chunk, filled, values, i + 1 - filled, part, sum);
                    filled = 0;
                }
            }
        }
        return sum;
    }

    private void add(float[] chunk, int count, float[] values, int firstRow, float[] part, double[] into) {
        int dimensions = credits.dimensions();
        int width = into.length / dimensions;
        Blas.best().multiply(YES, NO, width, dimensions, count, chunk, 0, values, firstRow * dimensions, 0f, part, 0);
        for (int i = 0; i < into.length; i++) {
            into[i] += part[i];
        }
    }
}
