package dev.pgkq.model;

import dev.pgkq.bayes.Belief;
import dev.pgkq.bayes.Calibration;
import dev.pgkq.bayes.NormalEquations;
import dev.pgkq.bayes.Posterior;
import dev.pgkq.bayes.RandomFeatures;
import dev.pgkq.episode.Steps;
import dev.pgkq.nn.Regression;
import dev.pgkq.parallel.Workers;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.reward.Grain;
import dev.pgkq.select.Forecast;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rewards as a linear function of features with unknown weights: r = m + φᵀ w + ε. The posterior of w is conditioned on the paid
 * rewards that are remembered.
 *
 * <p>If the reward of every step is known, m is a network that is fitted to them, φ are the units of its hidden layers and 1, and
 * the regression explains what m leaves. The estimate of a reward is the reward itself where it was paid for, and the posterior
 * mean elsewhere.
 *
 * <p>If one number is known of an episode, m = 0 and the network keeps its initial values, so that φ are fixed random features; a
 * fitted network would follow the noise of the few numbers. The number is Σ_t γ^t φ_tᵀ w + ε with an offset of its own, and the
 * estimate is the posterior mean everywhere.
 */
public final class BayesianRewardModel implements Learner, Belief, RewardEstimate {
    private final RewardModel model;
    private final Regression network;
    private final Grain grain;
    private final double discount;
    private final Workers workers;
    private static final boolean FIXED = Boolean.getBoolean("kb.fixed");
    private static final int COUNT = Integer.getInteger("kb.count", 300);
    private final @Nullable RandomFeatures fixed;
    private @Nullable NormalEquations all;
    private final EpisodeScores scores;
    private final Calibration calibration = new Calibration();
    private @Nullable Posterior posterior;
    private double[] centre;

    /**
     * Creates a model that has learned nothing yet.
     *
     * @param model fits m; its memory is that of the regression
     * @param network m
     * @param grain whether oracles give rewards of steps or of episodes
     * @param discount γ
     * @param workers share the work
     */
    public BayesianRewardModel(
            RewardModel model, Regression network, Grain grain, double discount, long seed, Workers workers) {
        this.model = model;
        this.network = network;
        this.grain = grain;
        this.discount = discount;
        this.workers = workers;
        this.fixed = FIXED || grain == Grain.EPISODE && Boolean.getBoolean("kb.fixedsums") ? new RandomFeatures(network.inputs(), COUNT, dev.pgkq.random.RandomStream.of(seed, dev.pgkq.random.Purpose.MEAN_INIT), workers) : null;
        this.scores = new EpisodeScores(width());
        this.centre = new double[width()];
    }

    @Override
    public Posterior posterior() {
        return posterior == null ? Posterior.prior(width(), 1) : posterior;
    }

    @Override
    public float[] features(Steps steps) {
        if (fixed != null && !fixed.isReady()) {
            fixed.standardize(steps.stateActions());
        }
        float[] features = rows(steps.starts(), steps.stateActions());
        if (posterior == null) {
            posterior = prior(steps, features);
        }
        return features;
    }

    private Posterior prior(Steps steps, float[] features) {
        int width = width();
        double squares = 0;
        switch (grain) {
            case STEP -> {
                for (float feature : features) {
                    squares += (double) feature * feature;
                }
                squares /= Math.max(1, steps.size());
            }
            case EPISODE -> {
                for (float value : sums(steps, features)) {
                    squares += (double) value * value;
                }
                squares /= steps.episodes();
            }
        }
        return Posterior.prior(width, squares);
    }

    private int width() {
        return fixed != null ? fixed.size() : network.featureCount();
    }

    private float[] rows(int[] starts, float[] inputs) {
        return fixed != null ? fixed.of(starts, inputs) : network.features(starts, inputs);
    }

    private boolean fitted() {
        return grain == Grain.STEP && fixed == null;
    }

    /** f_e = Σ_t γ^t φ_t, row by row. */
    private float[] sums(Steps steps, float[] features) {
        int width = width();
        float[] sums = new float[steps.episodes() * width];
        double[] sum = new double[width];
        for (int e = 0; e < steps.episodes(); e++) {
            Arrays.fill(sum, 0);
            double g = 1;
            for (int i = steps.start(e); i < steps.start(e + 1); i++) {
                for (int j = 0; j < width; j++) {
                    sum[j] += g * features[i * width + j];
                }
                g *= discount;
            }
            for (int j = 0; j < width; j++) {
                sums[e * width + j] = (float) sum[j];
            }
        }
        return sums;
    }

    @Override
    public double[] expected(Steps steps) {
        int width = width();
        float[] features = rows(steps.starts(), steps.stateActions());
        double[] mean = posterior().mean();
        double[] expected = fitted() ? model.predict(steps) : new double[steps.size()];
        for (int i = 0; i < expected.length; i++) {
            double sum = 0;
            for (int j = 0; j < width; j++) {
                sum += features[i * width + j] * mean[j];
            }
            expected[i] += sum;
        }
        return expected;
    }

    @Override
    public double[] centre() {
        return centre;
    }

    @Override
    public double inflation() {
        return calibration.inflation();
    }

    @Override
    public double[] of(PaidBatch paid) {
        Steps all = paid.allSteps();
        double[] rewards = expected(all);
        if (grain == Grain.STEP) {
            double[] known = paid.paidRewards();
            int[] indices = paid.points().indices();
            for (int i = 0; i < indices.length; i++) {
                int from = paid.paidSteps().start(i);
                System.arraycopy(
                        known, from, rewards, all.start(indices[i]), paid.paidSteps().length(i));
            }
        }
        return rewards;
    }

    @Override
    public Optional<double[]> expect(PaidBatch batch) {
        Steps steps = batch.allSteps();
        double[] rewards = expected(steps);
        double[] sums = new double[steps.episodes()];
        for (int e = 0; e < sums.length; e++) {
            for (int i = steps.start(e); i < steps.start(e + 1); i++) {
                sums[e] += rewards[i];
            }
        }
        return Optional.of(sums);
    }

    @Override
    public void follow(PaidBatch paid) {
        model.follow(paid);
    }

    @Override
    public Lesson learn(PaidBatch paid, Regression baseline, int iteration) {
        if (paid.paidSteps().size() == 0) {
            return Lesson.NONE;
        }
        double[] missed = missed(paid);
        paid.selection().forecast().ifPresent(forecast -> calibrate(paid, forecast, missed));
        switch (grain) {
            case STEP -> {
                if (fixed != null) {
                    Steps steps = paid.paidSteps();
                    NormalEquations more = NormalEquations.of(width(), rows(steps.starts(), steps.stateActions()), paid.paidRewards(), workers);
                    all = all == null ? more : all.plus(more);
                    posterior = Posterior.of(all);
                } else {
                    model.learn(paid, baseline, iteration);
                    regressSteps(model.remembered());
                }
            }
            case EPISODE -> {
                Steps steps = paid.paidSteps();
                scores.add(sums(steps, rows(steps.starts(), steps.stateActions())), numbers(paid));
                regressSums();
            }
        }
        return new Lesson(rootMeanSquare(paid, missed), Double.NaN, Double.NaN, Double.NaN, 0);
    }

    /** The errors of the expected rewards, before anything is learned from the paid ones: of steps, or of the numbers. */
    private double[] missed(PaidBatch paid) {
        Steps steps = paid.paidSteps();
        double[] expected = expected(steps);
        if (grain == Grain.STEP) {
            return grain.missed(steps, paid.paidRewards(), expected, discount);
        }
        double[] missed = numbers(paid);
        for (int e = 0; e < missed.length; e++) {
            double g = 1;
            for (int i = steps.start(e); i < steps.start(e + 1); i++) {
                missed[e] -= g * expected[i];
                g *= discount;
            }
        }
        double offset = scores.offset(posterior().mean());
        for (int e = 0; e < missed.length; e++) {
            missed[e] -= offset;
        }
        return missed;
    }

    /** The number of each paid episode, as the discounted sum that it is. */
    private double[] numbers(PaidBatch paid) {
        Steps steps = paid.paidSteps();
        double[] rewards = paid.paidRewards();
        double[] numbers = new double[steps.episodes()];
        for (int e = 0; e < numbers.length; e++) {
            double g = 1;
            for (int i = steps.start(e); i < steps.start(e + 1); i++) {
                numbers[e] += g * rewards[i];
                g *= discount;
            }
        }
        return numbers;
    }

    private static double rootMeanSquare(PaidBatch paid, double[] missed) {
        double sum = 0;
        for (double value : missed) {
            sum += value * value;
        }
        return Math.sqrt(sum / missed.length);
    }

    private void calibrate(PaidBatch paid, Forecast forecast, double[] missed) {
        if (forecast.variances().length == 0) {
            return;
        }
        Steps steps = paid.paidSteps();
        int[] indices = paid.points().indices();
        double[] actual = new double[indices.length];
        double[] predicted = new double[indices.length];
        int dimensions = forecast.credits().dimensions();
        float[] credits = grain == Grain.STEP ? forecast.credits().of(steps) : new float[0];
        for (int e = 0; e < indices.length; e++) {
            predicted[e] = forecast.variances()[indices[e]];
            if (grain == Grain.EPISODE) {
                actual[e] = missed[e] * missed[e];
                continue;
            }
            for (int d = 0; d < dimensions; d++) {
                double sum = 0;
                for (int i = steps.start(e); i < steps.start(e + 1); i++) {
                    sum += missed[i] * credits[i * dimensions + d];
                }
                actual[e] += sum * sum;
            }
        }
        calibration.add(actual, predicted);
    }

    private void regressSteps(KnownRewards known) {
        float[] inputs = known.steps().inputs();
        double[] left = network.predict(inputs);
        for (int i = 0; i < left.length; i++) {
            left[i] = known.steps().values()[i] - left[i];
        }
        float[] features = rows(known.starts(), inputs);
        posterior = Posterior.of(NormalEquations.of(width(), features, left, workers));
    }

    private void regressSums() {
        centre = scores.centre();
        posterior = Posterior.of(scores.centred(workers));
    }

    @Override
    public Map<String, float[]> parameters() {
        return model.parameters();
    }

    @Override
    public void save(Snapshot.Builder into) {
        model.save(into);
        scores.save("episode_scores", into);
        calibration.save("calibration", into);
    }

    @Override
    public void restore(Snapshot saved) {
        model.restore(saved);
        scores.restore("episode_scores", saved);
        calibration.restore("calibration", saved);
        KnownRewards known = model.remembered();
        posterior = null;
        if (grain == Grain.STEP && known.steps().size() > 0) {
            regressSteps(known);
        } else if (grain == Grain.EPISODE && scores.size() > 0) {
            regressSums();
        }
    }
}
