package dev.pgkq.app.training;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.config.UserClasses;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.trace.TraceWriter;
import dev.pgkq.env.Task;
import dev.pgkq.reward.Grain;
import dev.pgkq.train.TrainSettings;

/**
 * What a run trains and where, with all settings checked.
 *
 * @param directory of the run
 * @param config all settings
 * @param task to be learned
 * @param settings of the trainer
 * @param iterations the run has when it is complete
 * @param threads used for sampling and training
 * @param maxEvaluations reward evaluations that may be paid for
 * @param maxCost what reward evaluations may cost
 * @param round the most evaluations of an iteration that decides how many it needs
 * @param rewardNoise standard deviation of the noise added to built-in rewards
 * @param keeping which episodes are kept on disk
 */
record TrainingPlan(
        RunDirectory directory,
        RunConfig config,
        Task task,
        TrainSettings settings,
        int iterations,
        int threads,
        long maxEvaluations,
        CostLimit maxCost,
        int round,
        double rewardNoise,
        TraceWriter.Keeping keeping) {
    /** @throws dev.pgkq.text.UserException if a setting is invalid */
    static TrainingPlan of(RunDirectory directory, RunConfig config) {
        UserClasses.use(config.text(Setting.CLASSPATH));
        return new TrainingPlan(
                directory,
                config,
                EnvironmentChoice.task(config, directory),
                config.trainSettings(),
                config.count(Setting.ITERATIONS),
                config.countOr(Setting.THREADS, Runtime.getRuntime().availableProcessors()),
                config.maxEvaluations(),
                isExternal(config) ? CostLimit.of(config) : CostLimit.NONE,
                isExternal(config) ? config.countOr(Setting.REWARDS_AT_ONCE, Integer.MAX_VALUE) : Integer.MAX_VALUE,
                config.real(Setting.REWARD_NOISE),
                config.keeping());
    }

    /** The same plan, once it is known what external rewards are given for. */
    TrainingPlan withGrain(Grain grain) {
        return of(directory, config.withGrain(grain));
    }

    /** Whether rewards come from a program, a service or people, and not from the task. */
    boolean hasExternalRewards() {
        return isExternal(config);
    }

    private static boolean isExternal(RunConfig config) {
        return config.reward().isEmpty();
    }

    /** Whether people rate episodes. */
    boolean asksPeople() {
        return config.people().isPresent();
    }

    /** Whether the budget covers the evaluations that one iteration may need. */
    boolean paysForOneIteration() {
        return maxEvaluations >= settings.needed();
    }

    /** The algorithm's name, for example {@code ppo-kq}. */
    String algorithm() {
        return settings.algorithm().id();
    }
}
