package dev.pgkq.train;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Task;
import dev.pgkq.episode.Episode;
import dev.pgkq.gradient.AdvantageBatch;
import dev.pgkq.gradient.PolicyGradient.PolicyStep;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.GaussianPolicy;
import dev.pgkq.policy.ValueFunction;
import dev.pgkq.policy.ValueTargets;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.reward.EnvironmentReward;
import dev.pgkq.reward.RewardOracle;
import dev.pgkq.reward.Rewards;
import dev.pgkq.text.UserException;
import dev.pgkq.train.IterationReport.Stage;
import java.util.List;

/** The loop: each call of {@link #iterate} is one iteration of the algorithm. */
public final class Trainer implements AutoCloseable {
    private final TrainSettings settings;
    private final Workers workers;
    private final GaussianPolicy policy;
    private final ValueFunction baseline;
    private final Pipeline pipeline;
    private final RewardOracle monitor;
    private final Progress progress = new Progress();

    public Trainer(Task task, TrainSettings settings, int threads) {
        this.settings = settings;
        this.workers = new Workers(threads);
        EnvironmentSpec spec = task.spec();
        this.policy = GaussianPolicy.initialize(spec.observationSize(), spec.actionSize(), settings.seed());
        this.baseline = ValueFunction.initialize(
                spec.observationSize(), settings.valueLearningRate(), settings.seed(), workers);
        this.pipeline = Pipeline.compose(task, settings, policy, workers);
        this.monitor = new EnvironmentReward(task);
    }

    public IterationReport iterate() {
        int iteration = progress.iteration() + 1;
        Stopwatch watch = new Stopwatch();

        List<Episode> batch = pipeline.source().sample(policy, iteration, settings.sampled());
        watch.lap(Stage.SAMPLE);
        WeightedPoints selected = pipeline.selector().select(batch, iteration);
        watch.lap(Stage.SELECT);
        List<Rewards> rewards = pipeline.oracle().evaluate(selected.of(batch));
        watch.lap(Stage.REWARD);
        AdvantageBatch samples = pipeline.advantage().estimate(batch, selected, rewards, baseline);
        watch.lap(Stage.ADVANTAGE);
        PolicyStep step = pipeline.gradient().improve(samples, iteration);
        watch.lap(Stage.POLICY);
        ValueTargets targets = Returns.targets(batch, selected, rewards, settings.discount());
        double valueLoss = baseline.fit(targets, settings.value(), settings.seed(), iteration);
        watch.lap(Stage.FIT);

        requireFinite(policy.parameters(), "policy", iteration);
        requireFinite(baseline.parameters(), "value function", iteration);
        List<Rewards> monitored = monitor.evaluate(batch);
        watch.lap(Stage.MONITOR);
        return progress.report(batch, monitored, rewards.size(), step, valueLoss, watch.seconds());
    }

    /** Better no result than one trained on: a parameter that is not a number spoils everything after it. */
    private static void requireFinite(float[] parameters, String what, int iteration) {
        for (float parameter : parameters) {
            if (!Float.isFinite(parameter)) {
                throw new UserException("the " + what + " is no longer finite after iteration " + iteration
                        + ": training blew up; the last checkpoint is from before that. Try a smaller learning rate or"
                        + " max-grad-norm");
            }
        }
    }

    public GaussianPolicy policy() {
        return policy;
    }

    public int iteration() {
        return progress.iteration();
    }

    /** The state after the last iteration; the arrays are the live ones. */
    public Snapshot snapshot() {
        Snapshot.Builder builder = new Snapshot.Builder();
        builder.tensor("policy.parameters", policy.parameters());
        builder.optimizer("policy.adam", pipeline.gradient().optimizer());
        builder.tensor("value.parameters", baseline.parameters());
        builder.optimizer("value.adam", baseline.optimizer());
        progress.save(builder);
        return builder.build();
    }

    /** Goes back to a saved state, of this task and these settings. */
    public void restore(Snapshot saved) {
        saved.copyTensorsTo(snapshot());
        pipeline.gradient().optimizer().restoreSteps(saved.counter("policy.adam.steps"));
        baseline.optimizer().restoreSteps(saved.counter("value.adam.steps"));
        progress.restore(saved);
    }

    @Override
    public void close() {
        pipeline.close();
        monitor.close();
        workers.close();
    }
}
