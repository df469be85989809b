package dev.pgkq.train;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.batch.EpisodeSource;
import dev.pgkq.batch.LocalSource;
import dev.pgkq.batch.Monitor;
import dev.pgkq.batch.Sampled;
import dev.pgkq.env.ActionSpace;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Task;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.gradient.AdvantageBatch;
import dev.pgkq.gradient.PolicyGradient.PolicyStep;
import dev.pgkq.model.Learner.Lesson;
import dev.pgkq.model.PaidUnits;
import dev.pgkq.nn.Regression;
import dev.pgkq.nn.RegressionTargets;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.EnvironmentReward;
import dev.pgkq.reward.RewardOracle;
import dev.pgkq.reward.RewardSource;
import dev.pgkq.select.Round;
import dev.pgkq.select.Selection;
import dev.pgkq.state.Snapshot;
import dev.pgkq.statistics.Statistics;
import dev.pgkq.train.IterationReport.Stage;
import dev.pgkq.train.TrainSettings.Learn;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.StringJoiner;

/**
 * Trains a policy: each call of {@link #iterate} is one iteration of the algorithm. A trainer is used by one thread at a time.
 */
public final class Trainer implements AutoCloseable {
    /** Attribute of a saved state: {@code step} or {@code episode}, what the oracle reports rewards of. */
    public static final String REWARD_PER = "reward_per";

    /** After so many iterations in a row in which most rewards did not arrive, training stops. */
    public static final int MOST_UNANSWERED = 3;

    private static final String POLICY = "policy";
    private static final String BASELINE = "baseline";

    private final Task task;
    private final EnvironmentSpec spec;
    private final TrainSettings settings;
    private final Workers workers;
    private final Policy policy;
    private final Regression baseline;
    private final Pipeline pipeline;
    private final Progress progress = new Progress();
    private final Purchases purchases;

    /**
     * Creates a trainer on the task's own reward.
     *
     * @param task the task to learn
     * @param settings the algorithm and its settings
     * @param threads threads to use; results do not depend on their number
     */
    public Trainer(Task task, TrainSettings settings, int threads) {
        this(task, settings, RewardSource.of(new EnvironmentReward(task)), new EnvironmentReward(task), threads);
    }

    /**
     * Creates a trainer with other rewards. If this fails, the rewards and the monitor are closed.
     *
     * @param task the task to learn
     * @param settings the algorithm and its settings
     * @param rewards the rewards to pay for and to train on; closed with the trainer
     * @param monitor the reward whose mean over all episodes is reported and never trained on; closed with the trainer
     * @param threads threads to use; results do not depend on their number
     */
    public Trainer(Task task, TrainSettings settings, RewardSource rewards, RewardOracle monitor, int threads) {
        this(task, settings, rewards, workers(threads, rewards, monitor), monitor);
    }

    private static Workers workers(int threads, RewardSource rewards, RewardOracle monitor) {
        try {
            return new Workers(threads);
        } catch (RuntimeException | Error e) {
            closeAfter(e, rewards::close, monitor::close);
            throw e;
        }
    }

    private Trainer(Task task, TrainSettings settings, RewardSource rewards, Workers workers, RewardOracle monitor) {
        this(
                task,
                settings,
                rewards,
                (kernel, own) -> new LocalSource(
                        new LocalRollouts(task, settings.seed(), RolloutMode.TRAINING, workers),
                        Monitor.of(monitor),
                        workers),
                workers,
                monitor::close);
    }

    /**
     * Creates a trainer with another source of episodes, such as a cluster. If this fails, the rewards and the workers are
     * closed.
     *
     * @param task the task to learn
     * @param settings the algorithm and its settings
     * @param rewards the rewards to pay for and to train on; closed with the trainer
     * @param source opens the source of episodes; closed with the trainer
     * @param workers threads for everything else; closed with the trainer
     */
    public Trainer(
            Task task, TrainSettings settings, RewardSource rewards, EpisodeSource.Opener source, Workers workers) {
        this(task, settings, rewards, source, workers, () -> {});
    }

    /**
     * @param closeSource closes what the source would close, if there will be no source
     */
    private Trainer(
            Task task,
            TrainSettings settings,
            RewardSource rewards,
            EpisodeSource.Opener source,
            Workers workers,
            Runnable closeSource) {
        this.settings = settings;
        this.workers = workers;
        this.task = task;
        try {
            this.spec = task.spec();
            this.policy = Policy.initialize(spec, settings.inputScale(spec), settings.hidden(), settings.seed());
            this.baseline = new Regression(
                    spec.observationSize(),
                    policy.inputScale(),
                    settings.hidden(),
                    settings.baseline().learningRate(),
                    settings.targets(),
                    RandomStream.of(settings.seed(), Purpose.VALUE_INIT),
                    workers);
            this.pipeline = Pipeline.compose(spec, settings, rewards, source, policy, workers);
            this.purchases = new Purchases(pipeline.rewards(), settings);
        } catch (RuntimeException | Error e) {
            closeAfter(e, closeSource, rewards::close, workers::close);
            throw e;
        }
    }

    /** Closes everything, even if closing fails, too: the first failure is the one to report. */
    private static void closeAfter(Throwable failure, Runnable... closings) {
        for (Runnable closing : closings) {
            try {
                closing.run();
            } catch (RuntimeException e) {
                failure.addSuppressed(e);
            }
        }
    }

    /**
     * Runs one iteration.
     *
     * @return the results of the iteration
     * @throws dev.pgkq.env.TaskFailureException if the task breaks the rules of an environment
     * @throws dev.pgkq.purchase.MissingRewardsException if too many rewards do not arrive; the state is unchanged
     * @throws TrainingDivergedException if a parameter is no longer finite; the state is unusable
     */
    public IterationReport iterate() {
        return iterate(Observer.none());
    }

    /**
     * Runs one iteration and notifies an observer of its stages.
     *
     * @param observer is notified
     * @return the results of the iteration
     * @throws dev.pgkq.env.TaskFailureException if the task breaks the rules of an environment
     * @throws dev.pgkq.purchase.MissingRewardsException if too many rewards do not arrive; the state is unchanged
     * @throws TrainingDivergedException if a parameter is no longer finite; the state is unusable
     */
    public IterationReport iterate(Observer observer) {
        return iterate(observer, Integer.MAX_VALUE);
    }

    /**
     * Runs one iteration within a budget.
     *
     * @param observer is notified
     * @param allowed the most episodes to pay for; 0, where the algorithm decides how many, trains on what is believed already
     * @return the results of the iteration
     * @throws dev.pgkq.env.TaskFailureException if the task breaks the rules of an environment
     * @throws dev.pgkq.purchase.MissingRewardsException if too many rewards do not arrive; the state is unchanged
     * @throws TrainingDivergedException if a parameter is no longer finite; the state is unusable
     */
    public IterationReport iterate(Observer observer, int allowed) {
        return iterate(observer, allowed, OptionalInt.empty());
    }

    /**
     * Runs one iteration within a budget, with an episode whose reward is known already.
     *
     * @param observer is notified
     * @param allowed the most episodes to pay for; 0, where the algorithm decides how many, trains on what is believed already
     * @param known index of an episode to pay for in any case; empty if there is none
     * @return the results of the iteration
     * @throws dev.pgkq.env.TaskFailureException if the task breaks the rules of an environment
     * @throws dev.pgkq.purchase.MissingRewardsException if too many rewards do not arrive; the state is unchanged
     * @throws TrainingDivergedException if a parameter is no longer finite; the state is unusable
     */
    public IterationReport iterate(Observer observer, int allowed, OptionalInt known) {
        int iteration = progress.iteration() + 1;
        Method method = pipeline.method();
        Stopwatch watch = new Stopwatch();

        Sampled sampled = pipeline.source().sample(policy, iteration, settings.sampled());
        EpisodeBatch batch = sampled.batch();
        watch.lap(Stage.SAMPLE);
        Selection limited = method.selector()
                .select(batch, new Round(iteration, allowed, baseline))
                .limitedTo(allowed);
        Selection selection = known.isPresent() ? limited.including(known.getAsInt()) : limited;
        watch.lap(Stage.SELECT);
        observer.chosen(iteration, batch, selection);
        watch.lap(Stage.MONITOR);
        PaidBatch paid = purchases.buy(batch, selection, iteration, rewardEvaluations() > 0);
        watch.lap(Stage.REWARD);
        observer.paid(iteration, paid, method.learner());
        watch.lap(Stage.MONITOR);
        follow(paid);
        Lesson lesson = Lesson.NONE;
        if (method.learn() == Learn.BEFORE) {
            lesson = method.learner().learn(paid, baseline, iteration);
            watch.lap(Stage.LEARN);
        }
        AdvantageBatch samples = method.advantage().estimate(paid, baseline);
        watch.lap(Stage.ADVANTAGE);
        observer.estimated(iteration, samples);
        watch.lap(Stage.MONITOR);
        PolicyStep step = pipeline.gradient().improve(samples, iteration);
        watch.lap(Stage.POLICY);
        RegressionTargets targets = method.baseline().of(paid, baseline);
        watch.lap(Stage.FIT);
        observer.fitting(iteration, targets);
        watch.lap(Stage.MONITOR);
        double valueLoss = baseline.fit(
                targets,
                settings.baseline().minibatches(),
                epoch -> RandomStream.of(settings.seed(), Purpose.VALUE_SHUFFLE, iteration, epoch));
        watch.lap(Stage.FIT);
        if (method.learn() == Learn.AFTER) {
            lesson = method.learner().learn(paid, baseline, iteration);
            watch.lap(Stage.LEARN);
        }

        requireFinite(policy.parameters(), "policy", "a lower learning rate or gradient norm limit", iteration);
        requireFinite(baseline.parameters(), "value function", "a lower value learning rate", iteration);
        method.learner()
                .parameters()
                .forEach((what, parameters) -> requireFinite(
                        parameters, "reward model's " + what, "a lower " + what + " learning rate", iteration));
        if (settings.networks().normalizeObservations()) {
            // for the next iteration: all of this one saw the same scale
            policy.inputScale().add(batch.steps().observations());
            watch.lap(Stage.FIT);
        }
        double[] monitored = sampled.returns().values();
        watch.lap(Stage.MONITOR);
        IterationReport report = progress.report(
                batch,
                monitored,
                paid,
                purchases.unanswered(),
                paidReturn(paid),
                settings.episodes().grain(),
                step,
                valueLoss,
                lesson,
                watch.seconds());
        observer.finished(report, monitored);
        return report;
    }

    /** Where few episodes are paid for, or none, what is believed about all of them says more. */
    private double paidReturn(PaidBatch paid) {
        return paid.selection().forecast().isPresent()
                ? pipeline.method()
                        .learner()
                        .expect(paid)
                        .map(Statistics::of)
                        .map(Statistics::mean)
                        .orElse(Double.NaN)
                : paid.meanReturn();
    }

    /** Lets V and the reward model follow the unit of the paid rewards. */
    private void follow(PaidBatch paid) {
        if (paid.paidSteps().size() > 0) {
            baseline.follow(PaidUnits.ofReturns(paid, settings.bootstrap()));
        }
        pipeline.method().learner().follow(paid);
    }

    /** One parameter that is not finite would spoil every later iteration. */
    private static void requireFinite(float[] parameters, String what, String remedy, int iteration) {
        for (float parameter : parameters) {
            if (!Float.isFinite(parameter)) {
                throw new TrainingDivergedException(what, remedy, iteration);
            }
        }
    }

    /** {@return the live policy, which every iteration changes} */
    public Policy policy() {
        return policy;
    }

    /** {@return the number of episodes paid for since the start of the run} */
    public long rewardEvaluations() {
        return progress.rewardEvaluations();
    }

    /** {@return the number of completed iterations} */
    public int iteration() {
        return progress.iteration();
    }

    /** {@return a copy of the state after the last iteration} */
    public Snapshot snapshot() {
        Snapshot.Builder builder = new Snapshot.Builder();
        builder.attribute("task", task.id());
        builder.attribute(REWARD_PER, settings.episodes().grain().name().toLowerCase(Locale.ROOT));
        policy.save(POLICY, builder);
        if (spec.actions() instanceof ActionSpace.Box box) {
            builder.attribute(POLICY + "/action_low", joined(box.low()));
            builder.attribute(POLICY + "/action_high", joined(box.high()));
        }
        pipeline.gradient().optimizer().save(POLICY + "/adam", policy.layout(), builder);
        baseline.save(BASELINE, builder);
        pipeline.method().advantage().save(builder);
        pipeline.method().learner().save(builder);
        progress.save(builder);
        purchases.save(builder);
        return builder.build();
    }

    private static String joined(float[] values) {
        StringJoiner joined = new StringJoiner(",");
        for (float value : values) {
            joined.add(Float.toString(value));
        }
        return joined.toString();
    }

    /**
     * Restores a saved state. If this fails, the trainer's state is undefined.
     *
     * @param saved a state that {@link #snapshot} returned
     * @throws IllegalArgumentException if the state does not fit the shapes that this task and these settings give
     */
    public void restore(Snapshot saved) {
        policy.restore(POLICY, saved);
        pipeline.gradient().optimizer().restore(POLICY + "/adam", policy.layout(), saved);
        baseline.restore(BASELINE, saved);
        pipeline.method().advantage().restore(saved);
        pipeline.method().learner().restore(saved);
        progress.restore(saved);
        purchases.restore(saved);
    }

    @Override
    public void close() {
        pipeline.close();
        workers.close();
    }
}
