package dev.pgkq.model;

import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.credit.Credit;
import dev.pgkq.episode.Steps;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.nn.Regression;
import dev.pgkq.nn.RegressionTargets;
import dev.pgkq.nn.SumTargets;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.Grain;
import dev.pgkq.state.Snapshot;
import dev.pgkq.text.Require;
import java.io.Serializable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Rewards as a Gaussian process, r ~ GP(m, k): the paper's Option 2. The mean m(s, a) is learned by least squares; a
 * step has the weight of its episode times the coefficient of its reward in the gradient, (1 + t) γ^t. Then the kernel
 * is learned by the likelihood of the residuals.
 *
 * <p>A process of rewards is also a process of their sums: where only Σ_t γ^t r_t of an episode is known, Σ_t γ^t
 * m(s_t, a_t) is fitted to it. The error of such a sum is in the advantage of each of the episode's T steps, whose scores are
 * uncorrelated: its expected square in the gradient, and so its weight, is proportional to T.
 */
public final class RewardModel implements Learner {
    /** The weight of a paid episode to which the rule gives none, relative to an equal share. */
    private static final double WEIGHT_OF_UNWEIGHTED = 0.5;

    private final Regression mean;
    private final Optional<DeepKernel> kernel;
    private final RewardMemory memory;
    private final Settings settings;
    private final Grain grain;
    private final Credit importance;
    private final long seed;
    private Optional<Surprise> surprise = Optional.empty();

    private record Surprise(PaidBatch paid, double[] values) {}

    /**
     * How the mean learns.
     *
     * @param minibatches of a fit
     * @param learningRate of Adam
     * @param memory number of earlier iterations whose rewards are used again; the paper has 0
     */
    public record Settings(Minibatches minibatches, double learningRate, int memory) implements Serializable {
        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException if the learning rate is not positive or the memory is negative
         */
        public Settings {
            Require.positive("learning rate of the reward model", learningRate);
            Require.atLeast(0, "memory of the reward model", memory);
        }
    }

    /**
     * Creates a model that has learned nothing yet.
     *
     * @param mean m
     * @param kernel k; empty where no kernel is needed
     * @param settings how the mean learns
     * @param grain whether oracles give rewards of steps or of episodes
     * @param discount γ
     * @param stepDiscount whether steps have the factor γ^t in the gradient
     * @param seed of the run
     */
    public RewardModel(
            Regression mean,
            Optional<DeepKernel> kernel,
            Settings settings,
            Grain grain,
            double discount,
            boolean stepDiscount,
            long seed) {
        this.mean = mean;
        this.kernel = kernel;
        this.settings = settings;
        this.grain = grain;
        this.memory = new RewardMemory(settings.memory + 1);
        this.importance = new Credit(AdvantageForm.E1, discount, stepDiscount);
        this.seed = seed;
    }

    /**
     * Predicts rewards.
     *
     * @param steps of episodes
     * @return m of every step
     */
    public double[] predict(Steps steps) {
        return mean.predict(steps.stateActions());
    }

    @Override
    public Optional<double[]> expect(PaidBatch batch) {
        Steps steps = batch.allSteps();
        double[] rewards = predict(steps);
        double[] sums = new double[steps.episodes()];
        for (int e = 0; e < sums.length; e++) {
            for (int i = steps.start(e); i < steps.start(e + 1); i++) {
                sums[e] += rewards[i];
            }
        }
        return Optional.of(sums);
    }

    /**
     * Computes {@link #missed} as it was before m learned from these rewards.
     *
     * @param paid the batch and its paid rewards
     * @return r − m of the paid steps, with the earlier m
     */
    public double[] surprise(PaidBatch paid) {
        return surprise.filter(known -> known.paid == paid)
                .map(Surprise::values)
                .orElseGet(() -> missed(paid))
                .clone();
    }

    /**
     * Computes the residuals of the current m on the paid rewards.
     *
     * @param paid the batch and its paid rewards
     * @return r − m of the paid steps; where an episode has one reward, the difference is on its last step
     */
    public double[] missed(PaidBatch paid) {
        return grain.missed(paid.paidSteps(), paid.paidRewards(), predict(paid.paidSteps()), importance.discount());
    }

    @Override
    public void follow(PaidBatch paid) {
        if (paid.paidSteps().size() > 0) {
            mean.follow(PaidUnits.ofRewards(paid, grain, importance.discount()));
        }
    }

    @Override
    public Lesson learn(PaidBatch paid, Regression baseline, int iteration) {
        KnownRewards fresh = known(paid);
        double[] before = missed(paid);
        surprise = Optional.of(new Surprise(paid, before));
        double error = Math.sqrt(meanSquare(before, fresh.steps().weights()));
        memory.add(fresh);
        KnownRewards known = memory.all();
        int oldEpisodes = memory.oldEpisodes();
        IntFunction<RandomStream> shuffles = epoch -> RandomStream.of(seed, Purpose.MEAN_SHUFFLE, iteration, epoch);
        switch (grain) {
            case STEP -> {
                int old = known.starts()[oldEpisodes];
                int all = known.steps().size();
                mean.fitParts(known.steps(), settings.minibatches, epoch -> newAndOld(old, all, shuffles.apply(epoch)));
            }
            case EPISODE ->
                mean.fitSums(
                        known.sums(importance.discount()),
                        settings.minibatches,
                        epoch -> newAndOld(oldEpisodes, known.episodes(), shuffles.apply(epoch)));
        }
        return kernel.map(k -> learn(k, paid, known, error, iteration))
                .orElse(new Lesson(error, Double.NaN, Double.NaN, Double.NaN, 0));
    }

    /** All new samples and as many old ones, drawn at random, in random order: memory doubles the cost at most. */
    private static int[] newAndOld(int old, int all, RandomStream random) {
        int fresh = all - old;
        int[] order = new int[fresh + Math.min(old, fresh)];
        for (int i = 0; i < fresh; i++) {
            order[i] = old + i;
        }
        if (old <= fresh) {
            for (int i = 0; i < old; i++) {
                order[fresh + i] = i;
            }
        } else {
            for (int i = fresh; i < order.length; i++) {
                order[i] = random.nextInt(old);
            }
        }
        random.shuffle(order);
        return order;
    }

    private Lesson learn(DeepKernel k, PaidBatch paid, KnownRewards known, double error, int iteration) {
        if (known.steps().size() == 0 || k.pointsPerFit() == 0 || k.awaitsUnit(paid.paidRewards())) {
            return new Lesson(error, Double.NaN, k.scale(), k.noise(), 0);
        }
        RandomStream random = RandomStream.of(seed, Purpose.KERNEL_SHUFFLE, iteration);
        DeepKernel.Fit fit = switch (grain) {
            case STEP -> fitSteps(k, known.steps(), random);
            case EPISODE -> fitSums(k, known.sums(importance.discount()), random);
        };
        return new Lesson(error, fit.logLikelihood(), k.scale(), k.noise(), fit.skipped());
    }

    private DeepKernel.Fit fitSteps(DeepKernel k, RegressionTargets known, RandomStream random) {
        int width = known.inputs().length / known.size();
        int[] points = random.subset(known.size(), k.pointsPerFit());
        float[] inputs = new float[points.length * width];
        for (int i = 0; i < points.length; i++) {
            System.arraycopy(known.inputs(), points[i] * width, inputs, i * width, width);
        }
        double[] expected = mean.predict(inputs);
        double[] left = new double[points.length];
        for (int i = 0; i < left.length; i++) {
            left[i] = known.values()[points[i]] - expected[i];
        }
        return k.fit(inputs, left, random);
    }

    private DeepKernel.Fit fitSums(DeepKernel k, SumTargets known, RandomStream random) {
        double[] left = mean.sumErrors(known);
        return k.fitSums(known.starts(), known.inputs(), known.coefficients(), left, random);
    }

    private KnownRewards known(PaidBatch paid) {
        Steps steps = paid.paidSteps();
        float[] weights = shares(steps);
        double[] rewards = paid.paidRewards();
        float[] values = new float[rewards.length];
        for (int e = 0; e < steps.episodes(); e++) {
            // an episode that was paid for is worth learning from even if the rule gives it no weight
            double weight = paid.points().weights()[e] > 0
                    ? paid.points().weights()[e]
                    : WEIGHT_OF_UNWEIGHTED / steps.episodes();
            for (int i = steps.start(e); i < steps.start(e + 1); i++) {
                weights[i] *= (float) weight;
                values[i] = (float) rewards[i];
            }
        }
        return new KnownRewards(
                steps.starts(), new RegressionTargets(steps.size(), steps.stateActions(), values, weights));
    }

    /** The weight of every reward, apart from that of its episode. That of a sum is on the last step. */
    private float[] shares(Steps steps) {
        float[] shares = new float[steps.size()];
        switch (grain) {
            case STEP -> {
                Arrays.fill(shares, 1f);
                shares = importance.of(Credit.Target.REWARDS, steps.starts(), shares, 1);
            }
            case EPISODE -> {
                for (int e = 0; e < steps.episodes(); e++) {
                    if (steps.length(e) > 0) {
                        shares[steps.start(e + 1) - 1] = steps.length(e);
                    }
                }
            }
        }
        return shares;
    }

    private static double meanSquare(double[] values, float[] weights) {
        double sum = 0;
        double total = 0;
        for (int i = 0; i < values.length; i++) {
            sum += weights[i] * values[i] * values[i];
            total += weights[i];
        }
        return total > 0 ? sum / total : Double.NaN;
    }

    @Override
    public Map<String, float[]> parameters() {
        Map<String, float[]> parameters = new LinkedHashMap<>();
        parameters.put("mean", mean.parameters());
        kernel.ifPresent(k -> parameters.put("kernel", k.parameters()));
        return parameters;
    }

    @Override
    public void save(Snapshot.Builder into) {
        mean.save("reward_model", into);
        memory.save("reward_memory", mean.inputs(), into);
        kernel.ifPresent(k -> k.save("kernel", into));
    }

    @Override
    public void restore(Snapshot saved) {
        mean.restore("reward_model", saved);
        memory.restore("reward_memory", mean.inputs(), saved);
        kernel.ifPresent(k -> k.restore("kernel", saved));
    }
}
