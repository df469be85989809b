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
import dev.pgkq.quadrature.RandomSubset;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.Grain;
import dev.pgkq.state.Snapshot;
import java.io.Serializable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Rewards as a Gaussian process, r ~ GP(m, k): the paper's Option 2. The mean m(s, a) is learned by least squares, each
 * step weighted by its episode's weight and by what a reward there counts in the gradient, (1 + t) γ^t; then the kernel by
 * the likelihood of what the mean leaves.
 *
 * <p>A process of rewards is one of their sums, too: where only Σ_t γ^t r_t of an episode is known, Σ_t γ^t m(s_t, a_t) is
 * fitted to it.
 */
public final class RewardModel implements Learner {
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
     * @param minibatches epochs and portions of a fit
     * @param learningRate of Adam
     * @param memory iterations before the present one whose rewards are learned from again; the paper has 0
     */
    public record Settings(Minibatches minibatches, double learningRate, int memory) implements Serializable {
        public Settings {
            if (!(learningRate > 0) || memory < 0) {
                throw new IllegalArgumentException(
                        "learning rate " + learningRate + " must be positive, memory " + memory + " not negative");
            }
        }
    }

    /**
     * @param mean m
     * @param kernel k; empty where nobody asks for it
     * @param grain what oracles tell
     * @param discount γ
     * @param stepDiscount whether steps count with γ^t in the gradient
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

    /** m of every step. */
    public double[] predict(Steps steps) {
        float[] values = mean.predict(steps.stateActions());
        double[] rewards = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            rewards[i] = values[i];
        }
        return rewards;
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

    /** What {@link #missed} was before m learned from these rewards. */
    public double[] surprise(PaidBatch paid) {
        return surprise.filter(known -> known.paid == paid)
                .map(Surprise::values)
                .orElseGet(() -> missed(paid))
                .clone();
    }

    /** What m, as it is now, misses of the paid rewards, credited to steps as those are. */
    public double[] missed(PaidBatch paid) {
        return grain.missed(paid.paidSteps(), paid.paidRewards(), predict(paid.paidSteps()), importance.discount());
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
        return kernel.map(k -> learn(k, known, error, iteration))
                .orElse(new Lesson(error, Double.NaN, Double.NaN, Double.NaN, 0));
    }

    /** The new samples and as many of the old ones, drawn at random, in random order: memory at twice the cost. */
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

    private Lesson learn(DeepKernel k, KnownRewards known, double error, int iteration) {
        if (known.steps().size() == 0 || k.pointsPerFit() == 0) {
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
        int[] points = RandomSubset.draw(known.size(), k.pointsPerFit(), random).indices();
        float[] inputs = new float[points.length * width];
        for (int i = 0; i < points.length; i++) {
            System.arraycopy(known.inputs(), points[i] * width, inputs, i * width, width);
        }
        float[] expected = mean.predict(inputs);
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
        float[] ones = new float[steps.size()];
        Arrays.fill(ones, 1f);
        float[] weights = importance.of(Credit.Target.REWARDS, steps.starts(), ones, 1);
        double[] rewards = paid.paidRewards();
        float[] values = new float[rewards.length];
        for (int e = 0; e < steps.episodes(); e++) {
            int last = steps.start(e + 1) - 1;
            // an episode that the rule can do without, and that was paid for all the same, is worth learning from
            double weight = paid.points().weights()[e] > 0 ? paid.points().weights()[e] : 0.5 / steps.episodes();
            for (int i = steps.start(e); i <= last; i++) {
                boolean told = grain == Grain.STEP || i == last;
                weights[i] *= told ? (float) weight : 0;
                values[i] = (float) rewards[i];
            }
        }
        return new KnownRewards(
                steps.starts(), new RegressionTargets(steps.size(), steps.stateActions(), values, weights));
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
