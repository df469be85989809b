package dev.pgkq.model;

import dev.pgkq.bayes.BatchFeatures;
import dev.pgkq.bayes.Calibration;
import dev.pgkq.bayes.NormalEquations;
import dev.pgkq.bayes.Posterior;
import dev.pgkq.bayes.RandomFeatures;
import dev.pgkq.bayes.StepFeatures;
import dev.pgkq.episode.Steps;
import dev.pgkq.nn.Regression;
import dev.pgkq.parallel.Workers;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.reward.Grain;
import dev.pgkq.select.Belief;
import dev.pgkq.select.Forecast;
import dev.pgkq.state.Snapshot;
import dev.pgkq.statistics.StudentT;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Believes in everything that was paid for. A reward is r = c + φᵀ w + ε with {@linkplain StepFeatures fixed features} of the
 * step. Where an episode has one number, that number is Σ_t γ^t φ_tᵀ w + c + ε. Only sums over the paid rows are kept, so the
 * memory is unlimited and a checkpoint small.
 */
public final class BayesianRewardModel implements Learner, Belief, RewardEstimate {
    /** Number of features, without the constant. */
    public static final int FEATURES = 300;

    private static final String SUMS = "reward_sums";
    private static final String NAME = "reward_features";
    private static final String REFERENCE = SUMS + "/reference";
    private static final String MEAN_SQUARE = NAME + "/mean_square";
    private static final String EXPONENT = SUMS + "/exponent";
    private static final String CALIBRATION = "calibration";
    private static final String CALIBRATION_OF_RETURNS = "calibration_of_returns";

    /** As many episodes of a first purchase are compared with what the others teach. */
    private static final int MOST_COMPARED = 8;

    /** Relative size of rounding errors in discounted sums. */
    private static final double ROUNDING = 1e-13;

    /** The unit of y in the sums grows when a value is larger than it by this power of 2. */
    private static final int ROOM = 20;

    private final StepDescription described;
    private final Grain grain;
    private final double discount;
    private final Workers workers;
    private final StepFeatures features;

    /** Whether φ of a batch are computed together, so that their bits depend on the batch. */
    private final boolean together;

    /** Of what an episode adds to the gradient, or of its number. */
    private Calibration calibration = Calibration.trusting();

    /**
     * Of the sum of an episode's rewards, where every step has one. Errors that all steps share add up in it, and hardly count in the
     * gradient.
     */
    private Calibration calibrationOfReturns = Calibration.unknown();

    /** Subtracted from y before it enters the sums, so that a large offset does not cost precision. */
    private float reference;

    /** y enters the sums divided by 2^exponent: checkpoints hold floats, whose range squares could leave. */
    private int exponent;

    /** The mean of ‖f‖² in the first batch. */
    private float meanSquare = 1;

    /** Sums of (f, 1) and y over all paid rows. */
    private NormalEquations sums;

    private double[] centre;
    private double mean;
    private Posterior posterior;

    /** φ of the batch that was looked at last, and which one that is. */
    private final BatchFeatures batch;

    private final RegressionRows rows;

    private Optional<Steps> looked = Optional.empty();

    /** φᵀ E w of the steps of that batch, and the posterior that it is of. */
    private double[] weighted = {};

    private Optional<Posterior> weightedBy = Optional.empty();

    /**
     * Creates a model with random features that knows nothing.
     *
     * @param described what of a step rewards are predicted from
     * @param grain whether rewards are known for every step or one for an episode
     * @param discount γ
     * @param seed determines the features
     * @param workers share the work
     */
    public BayesianRewardModel(StepDescription described, Grain grain, double discount, long seed, Workers workers) {
        this(
                described,
                new RandomFeatures(described.numbers(), described.marks(), FEATURES, seed, workers),
                false,
                grain,
                discount,
                workers);
    }

    /**
     * Creates a model that knows nothing.
     *
     * @param described what of a step rewards are predicted from
     * @param features φ of it; nobody else uses them
     * @param together whether those of a batch are computed together, which is faster and makes their bits depend on the batch
     * @param grain whether rewards are known for every step or one for an episode
     * @param discount γ
     * @param workers share the work
     */
    public BayesianRewardModel(
            StepDescription described,
            StepFeatures features,
            boolean together,
            Grain grain,
            double discount,
            Workers workers) {
        this.described = described;
        this.together = together;
        this.grain = grain;
        this.discount = discount;
        this.workers = workers;
        this.features = features;
        this.batch = new BatchFeatures(features, workers.count());
        this.rows = new RegressionRows(grain, discount, batch);
        this.sums = NormalEquations.none(features.size() + 1);
        this.centre = new double[features.size()];
        this.posterior = Posterior.prior(features.size(), 1);
    }

    @Override
    public boolean observesSteps() {
        return grain == Grain.STEP;
    }

    @Override
    public Posterior posterior() {
        return posterior;
    }

    @Override
    public double[] centre() {
        return centre;
    }

    @Override
    public double noise() {
        double unit = Math.scalb(1.0, exponent);
        return posterior.noise() * unit * unit;
    }

    @Override
    public double inflation() {
        return calibration.inflation();
    }

    @Override
    public BatchFeatures features(Steps steps) {
        if (looked.isPresent() && looked.get() == steps) {
            return batch;
        }
        float[] inputs = described.of(steps);
        boolean isFirst = !features.isFixed();
        if (isFirst) {
            features.fix(inputs);
        }
        batch.turnTo(steps.starts(), inputs);
        if (together) {
            batch.computeAll(workers);
        }
        looked = Optional.of(steps);
        weightedBy = Optional.empty();
        if (isFirst) {
            meanSquare = (float) rows.meanSquare(steps.episodes());
            posterior = Posterior.prior(features.size(), meanSquare);
        }
        return batch;
    }

    /** φᵀ E w of every step, in units of 1. */
    private double[] weighted(Steps steps) {
        BatchFeatures ofSteps = features(steps);
        if (weightedBy.isPresent() && weightedBy.get() == posterior) {
            return weighted;
        }
        double[] all = new double[steps.size()];
        double unit = Math.scalb(1.0, exponent);
        workers.run(
                steps.episodes(), (worker, e) -> ofSteps.weigh(worker, e, posterior.mean(), unit, all, steps.start(e)));
        weighted = all;
        weightedBy = Optional.of(posterior);
        return all;
    }

    /** c: what a row has beside its features. */
    private double intercept() {
        double left = mean;
        for (int j = 0; j < centre.length; j++) {
            left -= centre[j] * posterior.mean()[j];
        }
        return reference + Math.scalb(left, exponent);
    }

    /** Where an episode has one number, c comes with its last step, as the number itself does. */
    @Override
    public double[] expected(Steps steps) {
        double[] rewards = weighted(steps).clone();
        double intercept = intercept();
        int[] starts = rows.starts(steps.starts());
        for (int row = 0; row + 1 < starts.length; row++) {
            int last = starts[row + 1] - 1;
            rewards[last] += intercept / Math.pow(discount, last - starts[row]);
        }
        return rewards;
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
                        known,
                        from,
                        rewards,
                        all.start(indices[i]),
                        paid.paidSteps().length(i));
            }
        }
        return rewards;
    }

    @Override
    public Optional<double[]> expect(PaidBatch batch) {
        Steps steps = batch.allSteps();
        return Optional.of(RegressionRows.sums(steps.starts(), expected(steps), 1));
    }

    /**
     * Computes how far {@link #expect} may be off.
     *
     * @param batch the episodes
     * @return the expected squared error of each episode's sum of rewards, inflated; NaN while nothing is known about it
     */
    public double[] variances(PaidBatch batch) {
        return variances(batch.allSteps(), true);
    }

    /**
     * Computes the intervals around {@link #expect}: those of Student's t, because inflation is known from few comparisons.
     *
     * @param batch the episodes
     * @param level probability that an interval covers the sum of rewards, such as 0.9
     * @return half the width of each episode's interval; NaN while nothing is known about it
     */
    public double[] halfWidths(PaidBatch batch, double level) {
        double compared = calibrationOfSums().episodes();
        double quantile = compared > 0 ? StudentT.quantile(Math.max(1, compared), (1 + level) / 2) : Double.NaN;
        return Arrays.stream(variances(batch))
                .map(variance -> quantile * Math.sqrt(variance))
                .toArray();
    }

    private Calibration calibrationOfSums() {
        return grain == Grain.STEP ? calibrationOfReturns : calibration;
    }

    /**
     * Computes how far the sum of {@link #expected} rewards of each episode may be off.
     *
     * @param steps of the episodes
     * @param ofScores where an episode has one number: whether the error is that of a new number, with its noise, or of what it measures
     * @return the expected squared errors, inflated; NaN while nothing is known about them
     */
    public double[] variances(Steps steps, boolean ofScores) {
        // what the model leaves out can only add to its errors: luck in few comparisons does not make it surer
        double inflation = grain == Grain.STEP ? Math.max(1, calibrationOfReturns.inflation()) : inflation();
        int[] all = IntStream.range(0, steps.episodes()).toArray();
        return Arrays.stream(variances(steps, all, ofScores))
                .map(variance -> inflation * variance)
                .toArray();
    }

    /** The expected squared errors of some episodes as the posterior says. */
    private double[] variances(Steps steps, int[] episodes, boolean ofScores) {
        int width = features.size();
        BatchFeatures ofSteps = features(steps);
        double[] whitening = posterior.whitening();
        double[] variances = new double[episodes.length];
        workers.run(variances.length, (worker, i) -> {
            double[] sum = new double[width];
            int length = steps.length(episodes[i]);
            BatchFeatures.Rows own = ofSteps.of(worker, episodes[i]);
            for (int t = 0; t < length; t++) {
                for (int j = 0; j < width; j++) {
                    sum[j] += own.values()[own.from() + t * width + j] - (grain == Grain.STEP ? centre[j] : 0);
                }
            }
            int intercepts = grain == Grain.STEP ? length : 1;
            double squares = grain == Grain.STEP ? length : ofScores ? 1 : 0;
            squares += (double) intercepts * intercepts / Math.max(1, sums.rows());
            for (int k = 0; k < width; k++) {
                double coordinate = 0;
                for (int j = 0; j < width; j++) {
                    coordinate += whitening[k * width + j] * (sum[j] - (grain == Grain.EPISODE ? centre[j] : 0));
                }
                squares += coordinate * coordinate;
            }
            variances[i] = noise() * squares;
        });
        return variances;
    }

    @Override
    public Lesson learn(PaidBatch paid, Regression baseline, int iteration) {
        Steps steps = paid.paidSteps();
        if (steps.size() == 0) {
            return Lesson.NONE;
        }
        double[] errors = learn(
                paid.allSteps(),
                paid.points().indices(),
                paid.paidRewards(),
                paid.selection().forecast().flatMap(forecast -> predicted(forecast, paid)));
        double squares = Arrays.stream(errors).map(error -> error * error).sum();
        return new Lesson(Math.sqrt(squares / errors.length), Double.NaN, Double.NaN, Double.NaN, 0);
    }

    private Optional<Predicted> predicted(Forecast forecast, PaidBatch paid) {
        if (forecast.variances().length == 0) {
            return Optional.empty();
        }
        double[] variances = Arrays.stream(paid.points().indices())
                .mapToDouble(e -> forecast.variances()[e])
                .toArray();
        int dimensions = forecast.credits().dimensions();
        return Optional.of(
                grain == Grain.EPISODE
                        ? Predicted.ofScores(variances)
                        : new Predicted(variances, forecast.credits().of(paid.paidSteps()), dimensions));
    }

    /**
     * What was predicted of episodes before they were paid for.
     *
     * @param variances the mean square of the error in what each of them contributes: Σ_t v_t (r_t − r̂_t), or its number
     * @param credits v of their steps, row by row; not needed where an episode has one number
     * @param dimensions size of v
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Predicted(double[] variances, float[] credits, int dimensions) {
        /**
         * {@return what was predicted of episodes that have one number each}
         *
         * @param variances the mean square of the error of each number
         */
        public static Predicted ofScores(double[] variances) {
            return new Predicted(variances, new float[0], 0);
        }
    }

    /**
     * Learns from paid rewards.
     *
     * @param all steps of the batch
     * @param indices the paid episodes
     * @param rewards r of their steps; where an episode has one number, it comes with the last step
     * @param predicted what the model said of them, if it is to be judged by that
     * @return what each row was, less what was expected
     */
    public double[] learn(Steps all, int[] indices, double[] rewards, Optional<Predicted> predicted) {
        return learn(all, indices, rewards, predicted, grain == Grain.STEP);
    }

    /**
     * Learns from paid rewards that are no judges of what the model says of its own errors.
     *
     * @param all steps of the batch
     * @param indices the paid episodes
     * @param rewards r of their steps; where an episode has one number, it comes with the last step
     */
    public void learnOnly(Steps all, int[] indices, double[] rewards) {
        learn(all, indices, rewards, Optional.empty(), false);
    }

    private double[] learn(
            Steps all, int[] indices, double[] rewards, Optional<Predicted> predicted, boolean judgesReturns) {
        features(all);
        int[] starts = starts(all, indices);
        double[] values = rows.values(starts, rewards);
        double[] errors = errors(all, indices, starts, values);
        predicted.ifPresent(each -> calibrate(each, starts, errors));
        if (judgesReturns) {
            calibrateReturns(all, indices, starts, rewards, errors);
        }
        if (sums.rows() == 0) {
            reference = (float) (Arrays.stream(values).sum() / values.length);
        }
        Arrays.setAll(values, i -> difference(values[i]));
        double largest = Arrays.stream(values).map(Math::abs).max().orElse(0);
        int needed = largest > 0 ? Math.getExponent(largest) : exponent;
        if (sums.squares() == 0 || needed > exponent + ROOM) {
            sums = sums.inUnits(needed - exponent);
            exponent = needed;
        }
        Arrays.setAll(values, i -> Math.scalb(values[i], -exponent));
        float[] added = rows.of(indices);
        sums = sums.plus(NormalEquations.of(features.size() + 1, added, values, workers))
                .rounded();
        infer();
        return errors;
    }

    /** Where the steps of some episodes start if they are laid end to end. */
    private static int[] starts(Steps all, int[] indices) {
        int[] starts = new int[indices.length + 1];
        for (int i = 0; i < indices.length; i++) {
            starts[i + 1] = starts[i] + all.length(indices[i]);
        }
        return starts;
    }

    /** What differs from the reference by rounding does not differ. */
    private double difference(double value) {
        double difference = value - reference;
        return Math.abs(difference) > ROUNDING * Math.abs(reference) ? difference : 0;
    }

    /**
     * Everything that was learned at some time. To go back to it takes no time, because nothing of it changes when more is learned.
     * Features are not part of it.
     */
    public static final class Learned {
        private final float reference;
        private final int exponent;
        private final NormalEquations sums;
        private final double[] centre;
        private final double mean;
        private final Posterior posterior;
        private final Calibration calibration;
        private final Calibration calibrationOfReturns;

        private Learned(BayesianRewardModel model) {
            reference = model.reference;
            exponent = model.exponent;
            sums = model.sums;
            centre = model.centre;
            mean = model.mean;
            posterior = model.posterior;
            calibration = model.calibration.copy();
            calibrationOfReturns = model.calibrationOfReturns.copy();
        }
    }

    /** {@return what was learned so far} */
    public Learned learned() {
        return new Learned(this);
    }

    /**
     * Forgets what was learned since.
     *
     * @param before what this model had learned at some time
     */
    public void returnTo(Learned before) {
        reference = before.reference;
        exponent = before.exponent;
        sums = before.sums;
        centre = before.centre;
        mean = before.mean;
        posterior = before.posterior;
        calibration = before.calibration.copy();
        calibrationOfReturns = before.calibrationOfReturns.copy();
    }

    private void infer() {
        NormalEquations.Centred centred = sums.centred();
        mean = centred.mean();
        if (sums.rows() > 1) {
            centre = centred.centre();
            posterior = Posterior.of(centred.sums());
        } else {
            centre = new double[features.size()];
            posterior = Posterior.prior(features.size(), meanSquare);
        }
    }

    /** What was paid for, less what was expected before it was known. */
    private double[] errors(Steps all, int[] indices, int[] starts, double[] values) {
        double[] ofAll = weighted(all);
        double[] ofPaid = new double[starts[indices.length]];
        for (int i = 0; i < indices.length; i++) {
            System.arraycopy(ofAll, all.start(indices[i]), ofPaid, starts[i], all.length(indices[i]));
        }
        double[] expected = rows.values(starts, ofPaid);
        double intercept = intercept();
        double[] errors = new double[values.length];
        Arrays.setAll(errors, i -> values[i] - expected[i] - intercept);
        return errors;
    }

    /** Compares the error of what each paid episode adds to the gradient, or of its number, with the forecast. */
    private void calibrate(Predicted forecast, int[] starts, double[] errors) {
        int episodes = starts.length - 1;
        double[] actual = new double[episodes];
        double[] predicted = forecast.variances().clone();
        int row = 0;
        for (int e = 0; e < episodes; e++) {
            if (grain == Grain.EPISODE) {
                // an episode without steps has no number
                boolean hasNumber = starts[e + 1] > starts[e];
                double error = hasNumber ? errors[row++] : 0;
                predicted[e] = hasNumber ? predicted[e] : 0;
                actual[e] = error * error;
                continue;
            }
            for (int d = 0; d < forecast.dimensions(); d++) {
                double sum = 0;
                for (int i = starts[e]; i < starts[e + 1]; i++) {
                    sum += errors[i] * forecast.credits()[i * forecast.dimensions() + d];
                }
                actual[e] += sum * sum;
            }
        }
        calibration.add(actual, predicted);
    }

    /** Compares the errors of returns with what was expected of them. */
    private void calibrateReturns(Steps all, int[] indices, int[] starts, double[] rewards, double[] errors) {
        if (posterior.isInformed()) {
            calibrationOfReturns.add(squares(starts, errors), variances(all, indices, true));
        } else if (sums.rows() == 0 && indices.length > 1) {
            calibrateByEachOther(all, indices, starts, rewards);
        }
    }

    /** Compares the return of each episode with what the others teach, unless some of them teach nothing of their errors. */
    private void calibrateByEachOther(Steps all, int[] indices, int[] starts, double[] rewards) {
        Learned nothing = learned();
        double[] actual = new double[Math.min(indices.length, MOST_COMPARED)];
        double[] predicted = new double[actual.length];
        boolean canCompare = true;
        for (int i = 0; i < actual.length; i++) {
            int left = i;
            int[] others = IntStream.range(0, indices.length)
                    .filter(e -> e != left)
                    .map(e -> indices[e])
                    .toArray();
            double[] ofOthers = IntStream.range(0, rewards.length)
                    .filter(t -> t < starts[left] || t >= starts[left + 1])
                    .mapToDouble(t -> rewards[t])
                    .toArray();
            learnOnly(all, others, ofOthers);
            canCompare &= posterior.isInformed();
            if (canCompare) {
                int[] one = {indices[left]};
                int[] from = starts(all, one);
                double[] values = rows.values(from, Arrays.copyOfRange(rewards, starts[left], starts[left + 1]));
                actual[i] = squares(from, errors(all, one, from, values))[0];
                predicted[i] = variances(all, one, true)[0];
            }
            returnTo(nothing);
        }
        if (canCompare) {
            calibrationOfReturns.add(actual, predicted);
        }
    }

    /** The squares of the sums of errors of episodes. */
    private static double[] squares(int[] starts, double[] errors) {
        double[] squares = RegressionRows.sums(starts, errors, 1);
        Arrays.setAll(squares, e -> squares[e] * squares[e]);
        return squares;
    }

    /** {@return none: what is computed in closed form does not diverge} */
    @Override
    public Map<String, float[]> parameters() {
        return Map.of();
    }

    @Override
    public void save(Snapshot.Builder into) {
        features.save(NAME, into);
        sums.save(SUMS, into);
        into.tensor(REFERENCE, new float[] {reference}, 1);
        into.tensor(MEAN_SQUARE, new float[] {meanSquare}, 1);
        into.counter(EXPONENT, exponent);
        calibration.save(CALIBRATION, into);
        calibrationOfReturns.save(CALIBRATION_OF_RETURNS, into);
    }

    @Override
    public void restore(Snapshot saved) {
        features.restore(NAME, saved);
        batch.clear();
        looked = Optional.empty();
        sums = NormalEquations.restored(features.size() + 1, SUMS, saved);
        reference = saved.values(REFERENCE, 1)[0];
        meanSquare = saved.values(MEAN_SQUARE, 1)[0];
        exponent = Math.toIntExact(saved.counter(EXPONENT));
        calibration.restore(CALIBRATION, saved);
        calibrationOfReturns.restore(CALIBRATION_OF_RETURNS, saved);
        infer();
    }
}
