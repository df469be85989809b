package dev.pgkq.select;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.bayes.Belief;
import dev.pgkq.bayes.Posterior;
import dev.pgkq.episode.Steps;
import dev.pgkq.kernel.StepCredits;
import dev.pgkq.nn.Regression;
import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.reward.Grain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Chooses episodes one after the other: each time the one that reduces the expected squared error of the batch's gradient most,
 * given what is believed about rewards.
 */
public final class PosteriorSelector implements EpisodeSelector {
    private static final int DIRECTIONS = Integer.getInteger("kb.dirs", 64);

    private final Belief belief;
    private final StepCredits credits;
    private final boolean centred;
    private final Grain grain;
    private final Pace pace;
    private final Sizes sizes;
    private final Workers workers;

    /** Computes what the size of a gradient is known to be. */
    @FunctionalInterface
    public interface Sizes {
        /**
         * Estimates advantages from expected rewards.
         *
         * @param steps of all episodes
         * @param expected the expected reward of every step
         * @param baseline V
         * @return g_t Â_t of every step, or none if V knows nothing yet
         */
        double[] advantages(Steps steps, double[] expected, Regression baseline);
    }

    /**
     * Creates a selector.
     *
     * @param belief about rewards
     * @param credits v of factors that are not centred
     * @param centred whether the mean factor of a batch is subtracted from its factors
     * @param grain whether rewards of steps or of episodes are paid for
     * @param pace decides how many
     * @param sizes estimates advantages
     * @param workers share the work
     */
    public PosteriorSelector(
            Belief belief, StepCredits credits, boolean centred, Grain grain, Pace pace, Sizes sizes, Workers workers) {
        this.belief = belief;
        this.credits = credits;
        this.centred = centred;
        this.grain = grain;
        this.pace = pace;
        this.sizes = sizes;
        this.workers = workers;
    }

    @Override
    public Selection select(EpisodeBatch batch, Round round) {
        Pace limited = pace.atMost(Math.min(round.allowed(), batch.size()));
        Steps steps = batch.steps();
        StepCredits around = centred ? credits.centredOn(steps) : credits;
        float[] values = around.of(steps);
        float[] features = belief.features(steps);
        Posterior posterior = belief.posterior();
        int width = posterior.features();
        GradientUncertainty uncertainty = switch (grain) {
            case STEP ->
                new StepUncertainty(
                        posterior,
                        steps.starts(),
                        centred(features, belief.centre()),
                        values,
                        credits.dimensions(),
                        DIRECTIONS,
                        workers);
            case EPISODE ->
                new SumUncertainty(
                        posterior,
                        sums(steps, features, width),
                        gradient(features, values, width),
                        credits.dimensions());
        };
        double size = posterior.isInformed() ? samplingError(steps, around, round.baseline()) : Double.NaN;
        double unit = belief.inflation() * belief.noise() / size;
        List<Integer> chosen = new ArrayList<>();
        List<Double> errors = new ArrayList<>();
        errors.add(unit * uncertainty.now());
        double[] next = uncertainty.next();
        int best = least(next);
        while (best >= 0
                && limited.another(
                        chosen.size(), round.iteration(), errors.getLast(), gain(uncertainty.now(), next[best]))) {
            uncertainty.choose(best);
            chosen.add(best);
            errors.add(unit * uncertainty.now());
            next = uncertainty.next();
            best = least(next);
        }
        double[] variances = posterior.isInformed()
                ? Arrays.stream(uncertainty.variances())
                        .map(variance -> belief.noise() * variance)
                        .toArray()
                : new double[0];
        if (Boolean.getBoolean("kb.print"))
            System.out.printf(
                    "it %d chosen %d before %.3g after %.3g%n",
                    round.iteration(), chosen.size(), errors.getFirst(), errors.getLast());
        return new Selection(
                WeightedPoints.equal(chosen.stream().mapToInt(Integer::intValue).toArray()),
                Optional.empty(),
                Optional.of(new Forecast(
                        errors.stream().mapToDouble(Double::doubleValue).toArray(),
                        best < 0 ? Double.NaN : unit * next[best],
                        belief.inflation(),
                        around,
                        variances)));
    }

    /** The share of an error that the next episode would remove. */
    private static double gain(double now, double next) {
        return now > 0 ? 1 - next / now : 0;
    }

    private static float[] centred(float[] features, double[] centre) {
        float[] centred = new float[features.length];
        for (int i = 0; i < features.length; i++) {
            centred[i] = (float) (features[i] - centre[i % centre.length]);
        }
        return centred;
    }

    private static int least(double[] values) {
        int best = -1;
        for (int i = 0; i < values.length; i++) {
            if (!Double.isNaN(values[i]) && (best < 0 || values[i] < values[best])) {
                best = i;
            }
        }
        return best;
    }

    /** How far Σ_e G_e would be from that of other episodes: N / (N − 1) Σ_e ‖G_e − Ḡ‖² with the expected rewards. */
    private double samplingError(Steps steps, StepCredits around, Regression baseline) {
        double[] advantages = sizes.advantages(steps, belief.expected(steps), baseline);
        float[] factors = around.factors().of(steps);
        int dimensions = around.dimensions();
        int count = steps.episodes();
        double[] sum = new double[dimensions];
        double[] own = new double[dimensions];
        double squares = 0;
        for (int e = 0; e < count; e++) {
            Arrays.fill(own, 0);
            for (int i = steps.start(e); i < steps.start(e + 1); i++) {
                for (int d = 0; d < dimensions; d++) {
                    own[d] += advantages[i] * (factors[i * dimensions + d] - around.centre()[d]);
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
        double v = count / (count - 1.0) * (squares - whole / count);
        if (Boolean.getBoolean("kb.print"))
            System.out.printf(
                    "  size2 %.3g sampling %.3g ratio %.3g infl %.3g%n", whole, v, v / whole, belief.inflation());
        return Boolean.getBoolean("kb.size") ? whole : v;
    }

    private double[] sums(Steps steps, float[] features, int width) {
        double[] sums = new double[steps.episodes() * width];
        double[] centre = belief.centre();
        for (int e = 0; e < steps.episodes(); e++) {
            double g = 1;
            for (int j = 0; j < width; j++) {
                sums[e * width + j] = -centre[j];
            }
            for (int i = steps.start(e); i < steps.start(e + 1); i++) {
                for (int j = 0; j < width; j++) {
                    sums[e * width + j] += g * features[i * width + j];
                }
                g *= credits.credit().discount();
            }
        }
        return sums;
    }

    private double[] gradient(float[] features, float[] values, int width) {
        int dimensions = credits.dimensions();
        double[] sum = new double[width * dimensions];
        int rows = features.length / width;
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < width; j++) {
                double value = features[i * width + j];
                for (int d = 0; d < dimensions; d++) {
                    sum[j * dimensions + d] += value * values[i * dimensions + d];
                }
            }
        }
        return sum;
    }
}
