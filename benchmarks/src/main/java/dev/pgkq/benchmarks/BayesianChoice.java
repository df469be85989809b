package dev.pgkq.benchmarks;

import static dev.pgkq.linalg.Blas.Transpose.NO;
import static dev.pgkq.linalg.Blas.Transpose.YES;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.bayes.BatchFeatures;
import dev.pgkq.bayes.Posterior;
import dev.pgkq.episode.Steps;
import dev.pgkq.kernel.StepCredits;
import dev.pgkq.linalg.Blas;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.quadrature.Quadrature;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.select.Belief;
import dev.pgkq.select.EpisodeSelector;
import dev.pgkq.select.Round;
import dev.pgkq.select.Selection;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Chooses the episodes of kq-bayes by other rules. The belief and the estimates stay the same, so that only the choice differs.
 *
 * @param rule the rule
 * @param belief about rewards
 * @param credits v, not centred
 * @param centred whether the mean factor of a batch is subtracted from its factors
 * @param count n
 * @param seed of the run
 */
record BayesianChoice(Rule rule, Belief belief, StepCredits credits, boolean centred, int count, long seed)
        implements EpisodeSelector {
    /** The rules. */
    enum Rule {
        /** The episodes whose own returns are known least. */
        VARIANCE,
        /** Matching pursuit of the mean gradient, with its posterior covariance. */
        PURSUIT,
        /** Local search, with the posterior covariance. */
        SEARCH,
        /** Matching pursuit, with the covariance before anything was paid for. */
        PRIOR_PURSUIT,
        /** Local search, with the covariance before anything was paid for. */
        PRIOR_SEARCH
    }

    @Override
    public Selection select(EpisodeBatch batch, Round round) {
        Steps steps = batch.steps();
        // first: the units of the features, and so the prior, follow from the first batch
        BatchFeatures features = belief.features(steps);
        RandomStream random = RandomStream.of(seed, Purpose.SELECTION, round.iteration());
        return Selection.withoutKernel(
                switch (rule) {
                    case VARIANCE -> leastKnown(steps, features);
                    case PURSUIT -> quadrature(Quadrature.PURSUIT, gram(steps, features, true), random);
                    case SEARCH -> quadrature(Quadrature.SEARCH, gram(steps, features, true), random);
                    case PRIOR_PURSUIT -> quadrature(Quadrature.PURSUIT, gram(steps, features, false), random);
                    case PRIOR_SEARCH -> quadrature(Quadrature.SEARCH, gram(steps, features, false), random);
                });
    }

    private WeightedPoints quadrature(Quadrature quadrature, GramMatrix gram, RandomStream random) {
        return WeightedPoints.equal(
                quadrature.rule().choose(gram, count, random).indices());
    }

    private WeightedPoints leastKnown(Steps steps, BatchFeatures features) {
        double[] variances = variances(steps, features);
        return WeightedPoints.equal(IntStream.range(0, variances.length)
                .boxed()
                .sorted(Comparator.comparingDouble(e -> -variances[e]))
                .limit(count)
                .mapToInt(Integer::intValue)
                .toArray());
    }

    /** The variance of Σ_t γ^t r_t of every episode, or of its number, in units of σ²: s_eᵀ P⁻¹ s_e and that of the noise. */
    double[] variances(Steps steps, BatchFeatures features) {
        Posterior posterior = belief.posterior();
        int width = posterior.features();
        double[] centre = belief.centre();
        double[] sums = new double[steps.episodes() * width];
        double[] noise = new double[steps.episodes()];
        for (int e = 0; e < steps.episodes(); e++) {
            features.addDiscounted(0, e, credits.credit().discount(), sums, e * width);
            double observed = 0;
            double g = 1;
            for (int t = 0; t < steps.length(e); t++) {
                double share = belief.observesSteps() ? g : t == 0 ? 1 : 0;
                observed += share;
                noise[e] += share * share;
                g *= credits.credit().discount();
            }
            for (int j = 0; j < width; j++) {
                sums[e * width + j] -= observed * centre[j];
            }
        }
        double[] whitened = new double[sums.length];
        Blas.best()
                .multiply(NO, YES, steps.episodes(), width, width, sums, 0, posterior.whitening(), 0, 0, whitened, 0);
        for (int i = 0; i < whitened.length; i++) {
            noise[i / width] += whitened[i] * whitened[i];
        }
        return noise;
    }

    /** The covariance of the episodes' gradients, without noise: ⟨W A_e, W A_e'⟩ with A_e = Σ_t φ_t v_tᵀ. */
    private GramMatrix gram(Steps steps, BatchFeatures features, boolean posterior) {
        int width = belief.posterior().features();
        int size = width * credits.dimensions();
        double[] whitening = belief.posterior().whitening();
        float[] factors = credits.factors().of(steps);
        StepCredits around = centred ? credits.centredOn(steps.starts(), factors) : credits;
        float[] values = around.of(steps.starts(), factors);
        double[] centre = posterior && belief.observesSteps() ? belief.centre() : new double[width];
        double[] gradients = new double[steps.episodes() * size];
        double[] sum = new double[size];
        for (int e = 0; e < steps.episodes(); e++) {
            Arrays.fill(sum, 0);
            BatchFeatures.Rows rows = features.of(0, e);
            for (int i = steps.start(e); i < steps.start(e + 1); i++) {
                int row = rows.from() + (i - steps.start(e)) * width;
                for (int j = 0; j < width; j++) {
                    double feature = rows.values()[row + j] - centre[j];
                    for (int d = 0; d < credits.dimensions(); d++) {
                        sum[j * credits.dimensions() + d] += feature * values[i * credits.dimensions() + d];
                    }
                }
            }
            if (posterior) {
                Blas.best()
                        .multiply(
                                NO,
                                NO,
                                width,
                                credits.dimensions(),
                                width,
                                whitening,
                                0,
                                sum,
                                0,
                                0,
                                gradients,
                                e * size);
            } else {
                System.arraycopy(sum, 0, gradients, e * size, size);
            }
        }
        double[] products = new double[steps.episodes() * steps.episodes()];
        Blas.best()
                .multiply(
                        NO, YES, steps.episodes(), steps.episodes(), size, gradients, 0, gradients, 0, 0, products, 0);
        return GramMatrix.of(products);
    }
}
