package dev.pgkq.app.training;

import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.BestPolicy;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.parallel.Workers;
import dev.pgkq.reward.RewardOracle;
import dev.pgkq.reward.Rewards;
import dev.pgkq.statistics.Statistics;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Trainer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tries the policy of a run every few iterations: plays its mean action, or the most probable one, from start states that
 * training never uses, and keeps the policy with the highest mean return. The returns are those of the task's reward, which is
 * free. Training does not depend on any of it.
 *
 * <p>Start states are keyed by the iteration: every trial has new ones, and a repeated iteration repeats its trial.
 */
final class PolicyTrial implements AutoCloseable {
    private final int every;
    private final int episodes;
    private final BestPolicy best;
    private final RunJournal journal;
    private final Workers workers;
    private final LocalRollouts rollouts;
    private final RewardOracle reward;

    private PolicyTrial(TrainingPlan plan, RunJournal journal) {
        this.every = plan.config().count(Setting.EVALUATE_EVERY);
        this.episodes = plan.config().count(Setting.EVALUATE_EPISODES);
        this.best = plan.directory().best();
        this.journal = journal;
        this.reward = plan.config().monitored().open(plan.task());
        this.workers = new Workers(plan.threads());
        this.rollouts = new LocalRollouts(plan.task(), plan.settings().seed(), RolloutMode.EVALUATION, workers);
    }

    /** Opens what trials need; null if the run has none. */
    static @Nullable PolicyTrial open(TrainingPlan plan, RunJournal journal) {
        return plan.config().has(Setting.EVALUATE_EVERY) ? new PolicyTrial(plan, journal) : null;
    }

    /**
     * Tries the policy if its iteration has a turn.
     *
     * @return columns of the iteration's metrics; none if it does not
     */
    Map<String, Number> after(Trainer trainer) {
        int iteration = trainer.iteration();
        if (iteration % every != 0) {
            return Map.of();
        }
        try {
            return tried(trainer, iteration);
        } catch (UserException e) {
            // the iteration itself is complete, and repeating it would repeat this
            journal.warn("the policy of iteration " + iteration + " was not evaluated: " + e.getMessage());
            return Map.of();
        }
    }

    private Map<String, Number> tried(Trainer trainer, int iteration) {
        List<Episode> played = rollouts.sample(trainer.policy(), iteration, episodes);
        Statistics returns = Statistics.of(
                reward.evaluate(played).stream().mapToDouble(Rewards::total).toArray());
        boolean isBest = best.offer(trainer.snapshot(), TrainingLoop.NUMERICS, returns);
        journal.tried(iteration, returns, isBest);
        return episodes > 1
                ? Map.of(MetricsRow.TRIAL_MEAN, returns.mean(), MetricsRow.TRIAL_SE, returns.standardError())
                : Map.of(MetricsRow.TRIAL_MEAN, returns.mean());
    }

    @Override
    public void close() {
        try (workers;
                reward) {
            rollouts.close();
        }
    }
}
