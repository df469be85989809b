package dev.pgkq.benchmarks;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.batch.LocalBatch;
import dev.pgkq.credit.Credit;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Task;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.gradient.AdvantageBatch;
import dev.pgkq.gradient.Surrogate;
import dev.pgkq.gradient.SurrogateAscent;
import dev.pgkq.kernel.StepCredits;
import dev.pgkq.kernel.StepFactors;
import dev.pgkq.model.Bootstrap;
import dev.pgkq.model.PaidUnits;
import dev.pgkq.nn.ChunkedGradient;
import dev.pgkq.nn.Regression;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.policy.ScoreProjection;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.NoisyReward;
import dev.pgkq.reward.RewardOracle;
import dev.pgkq.reward.Rewards;
import dev.pgkq.reward.TaskReward;
import dev.pgkq.select.Belief;
import dev.pgkq.select.EpisodeSelector;
import dev.pgkq.select.Round;
import dev.pgkq.select.Selection;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Method;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.TrainSettings.Learn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One run of PPO on the large batch, without noise, observed by contenders. Each contender sees every batch, pays for its own n episodes,
 * estimates the gradient that all N rewards give, and learns from the rewards that it paid for. The policy does not depend on
 * the contenders, and all use the baseline of the run. Their estimates therefore differ only by the choice of episodes and by
 * the reward model.
 */
final class GradientStudy implements AutoCloseable {
    private final TrainSettings settings;
    private final Workers workers;
    private final Policy policy;
    private final Regression baseline;
    private final LocalRollouts source;
    private final RewardOracle oracle;
    private final Method reference;
    private final SurrogateAscent ascent;
    private final List<Method> contenders = new ArrayList<>();
    private final ChunkedGradient<Policy.Batch> gradients;
    private final Bootstrap bootstrap;
    private final Rewarding rewarding;
    private final Optional<LocalRollouts> others;
    private int iteration;

    /**
     * What contenders are told.
     *
     * @param reward that they pay for
     * @param noise standard deviation of the noise in it
     * @param sample number of other episodes of the same policy whose noise-free rewards give the gradient that estimates are
     *     compared with; 0 compares them with the gradient of the batch itself
     */
    record Rewarding(TaskReward reward, double noise, int sample) {}

    /**
     * How an estimate compares with the gradient of the whole batch.
     *
     * @param squaredError ‖estimate − gradient‖² / ‖gradient‖²
     * @param cosine of the angle between them
     */
    record Score(double squaredError, double cosine) {}

    GradientStudy(Task task, List<Contender> named, TrainSettings settings, Rewarding rewarding, int threads) {
        this.rewarding = rewarding;
        this.settings = settings;
        long seed = settings.seed();
        this.bootstrap = new Bootstrap(
                settings.advantage().estimator(), settings.advantage().discount());
        this.workers = new Workers(threads);
        EnvironmentSpec spec = task.spec();
        this.policy = Policy.initialize(spec, settings.hidden(), seed);
        this.baseline = new Regression(
                spec.observationSize(),
                policy.inputScale(),
                settings.hidden(),
                settings.baseline().learningRate(),
                settings.targets(),
                RandomStream.of(seed, Purpose.VALUE_INIT),
                workers);
        this.source = new LocalRollouts(task, seed, RolloutMode.TRAINING, workers);
        // another seed: the same policy in other episodes
        this.others = rewarding.sample > 0
                ? Optional.of(new LocalRollouts(task, ~seed, RolloutMode.TRAINING, workers))
                : Optional.empty();
        this.oracle = rewarding.reward.open(task);
        this.reference = Method.compose(spec, settings, policy, workers);
        this.ascent = new SurrogateAscent(
                policy,
                new Surrogate.Clipped(settings.policy().clip()),
                settings.policy().ascent(),
                seed,
                workers);
        for (Contender contender : named) {
            contenders.add(method(contender, spec));
        }
        this.gradients = new ChunkedGradient<>(
                workers, policy.parameters().length, () -> policy.batch(ChunkedGradient.CHUNK_ROWS));
    }

    private Method method(Contender contender, EnvironmentSpec spec) {
        TrainSettings own = contender.settings(settings, rewarding.reward);
        Method method = Method.compose(spec, own, policy, workers);
        return contender.choice().map(rule -> choosing(method, rule, own)).orElse(method);
    }

    private Method choosing(Method method, BayesianChoice.Rule rule, TrainSettings own) {
        if (!(method.learner() instanceof Belief belief)) {
            throw new UserException("choice= replaces the choice of kq-bayes: add algo=ppo-kq-bayes");
        }
        ScoreProjection scores = new ScoreProjection(policy, own.selection().scoreDimensions(), own.seed(), workers);
        EpisodeSelector selector = new BayesianChoice(
                rule,
                belief,
                new StepCredits(StepFactors.scores(scores), Credit.Target.REWARDS, credit(own)),
                own.advantage().standardize(),
                own.episodes().select().most(),
                own.seed());
        return new Method(
                selector, method.kernel(), method.advantage(), method.baseline(), method.learner(), method.learn());
    }

    private static Credit credit(TrainSettings own) {
        return new Credit(
                own.advantage().estimator(),
                own.advantage().discount(),
                own.advantage().stepDiscount());
    }

    /** Runs one iteration and returns the score of each contender. */
    List<Score> iterate() {
        iteration++;
        List<Episode> episodes =
                source.sample(policy, iteration, settings.episodes().batch());
        EpisodeBatch batch = new LocalBatch(episodes, workers);
        List<Rewards> rewards = oracle.evaluate(episodes);
        Selection everything = reference.selector().select(batch, new Round(iteration, Integer.MAX_VALUE, baseline));
        PaidBatch paid = new PaidBatch(batch, everything, rewards);
        baseline.follow(PaidUnits.ofReturns(paid, bootstrap));
        AdvantageBatch samples = reference.advantage().estimate(paid, baseline);
        float[] truth = others.map(this::gradientOf).orElseGet(() -> gradient(samples));
        List<Rewards> answers = new NoisyReward(
                        known -> rewards, rewarding.reward.grain(), rewarding.noise, settings.seed())
                .evaluate(episodes);
        List<Score> scores = new ArrayList<>();
        List<PaidBatch> bought = new ArrayList<>();
        for (Method method : contenders) {
            Selection selection = method.selector().select(batch, new Round(iteration, Integer.MAX_VALUE, baseline));
            PaidBatch own = new PaidBatch(batch, selection, selection.points().of(answers));
            method.learner().follow(own);
            if (method.learn() == Learn.BEFORE) {
                method.learner().learn(own, baseline, iteration);
            }
            scores.add(score(gradient(method.advantage().estimate(own, baseline)), truth));
            bought.add(own);
        }
        ascent.improve(samples, iteration);
        baseline.fit(
                reference.baseline().of(paid, baseline),
                settings.baseline().minibatches(),
                epoch -> RandomStream.of(settings.seed(), Purpose.VALUE_SHUFFLE, iteration, epoch));
        for (int m = 0; m < contenders.size(); m++) {
            if (contenders.get(m).learn() == Learn.AFTER) {
                contenders.get(m).learner().learn(bought.get(m), baseline, iteration);
            }
        }
        return scores;
    }

    /** The gradient of a large sample, which is nearer to that of all episodes that the policy could have. */
    private float[] gradientOf(LocalRollouts sampler) {
        List<Episode> episodes = sampler.sample(policy, iteration, rewarding.sample);
        EpisodeBatch batch = new LocalBatch(episodes, workers);
        Selection all = reference.selector().select(batch, new Round(iteration, Integer.MAX_VALUE, baseline));
        PaidBatch paid = new PaidBatch(batch, all, oracle.evaluate(episodes));
        return gradient(reference.advantage().estimate(paid, baseline));
    }

    /** Σ A ∇ log π, the gradient of VPG, and of PPO before its first update. */
    private float[] gradient(AdvantageBatch samples) {
        int[] order = new int[samples.size()];
        Arrays.setAll(order, i -> i);
        float[] gradient = new float[policy.parameters().length];
        int states = policy.observationSize();
        int actions = policy.actionSize();
        gradients.sum(
                order,
                0,
                order.length,
                0,
                (batch, indices, from, to, into, sums) -> {
                    int rows = to - from;
                    System.arraycopy(samples.observations(), from * states, batch.observations(), 0, rows * states);
                    System.arraycopy(samples.actions(), from * actions, batch.actions(), 0, rows * actions);
                    policy.evaluate(batch, rows);
                    for (int r = 0; r < rows; r++) {
                        batch.factors()[r] = samples.coefficients()[from + r];
                    }
                    policy.addScores(batch, rows, into);
                },
                gradient);
        return gradient;
    }

    private static Score score(float[] estimate, float[] truth) {
        double error = 0;
        double product = 0;
        double ofEstimate = 0;
        double ofTruth = 0;
        for (int i = 0; i < truth.length; i++) {
            double difference = (double) estimate[i] - truth[i];
            error += difference * difference;
            product += (double) estimate[i] * truth[i];
            ofEstimate += (double) estimate[i] * estimate[i];
            ofTruth += (double) truth[i] * truth[i];
        }
        return new Score(error / ofTruth, product / Math.sqrt(ofEstimate * ofTruth));
    }

    @Override
    public void close() {
        source.close();
        others.ifPresent(LocalRollouts::close);
        oracle.close();
        workers.close();
    }
}
