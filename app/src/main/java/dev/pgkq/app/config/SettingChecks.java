package dev.pgkq.app.config;

import dev.pgkq.app.config.Setting.Place;
import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.oracle.Evaluators;
import dev.pgkq.select.Pace;
import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.TrainSettings.Preset;
import java.util.List;

/**
 * Checks the settings of a run against each other; each by itself was checked when it was read. What a combination of settings
 * means for the algorithm, {@link TrainSettings} checks as well, in words without options.
 *
 * @param config the settings
 * @param reward where rewards come from
 */
record SettingChecks(RunConfig config, RewardChoice reward) {
    /** Throws if two settings contradict each other, and says which to change. */
    void check() {
        Algorithm algorithm = config.algorithm();
        int batch = config.count(Setting.BATCH);
        boolean single = config.grain() == Grain.EPISODE;
        refuseIf(
                config.value(Setting.PRESET, Preset.class) == Preset.PAPER
                        && algorithm.variant().isOurs(),
                Setting.PRESET,
                "cannot be combined with " + algorithm.id() + ", which is not in the paper: leave it out, or use "
                        + algorithm.id().replaceAll("-(plus|bayes)$", ""));
        refuseIf(
                config.pace().most() > batch,
                Setting.SELECT,
                "is more than " + config.origin(Setting.BATCH) + " " + batch
                        + ": only sampled episodes can be evaluated; use a larger batch or select fewer");
        refuseIf(
                config.pace() instanceof Pace.Auto && !algorithm.variant().decidesHowMany(),
                Setting.SELECT,
                "needs kq-bayes: " + algorithm.id()
                        + " evaluates the same number of episodes in every iteration; give a number");
        refuseIf(
                batch > TrainSettings.LARGEST_KERNEL_BATCH
                        && algorithm.variant().choosesByKernel(),
                Setting.BATCH,
                "is too large for " + algorithm.id() + ", whose matrix of all pairs of episodes has to fit into one"
                        + " array: give at most --batch " + TrainSettings.LARGEST_KERNEL_BATCH);
        refuseIf(
                config.value(Setting.REWARD_PER, RewardPer.class).grain(config.grain()) != config.grain(),
                Setting.REWARD_PER,
                "cannot be combined with --reward " + reward + ", which is "
                        + (single ? "one number per episode" : "one number per step") + ": leave it out");
        refuseIf(
                single && config.value(Setting.ESTIMATOR, AdvantageForm.class) != AdvantageForm.E1,
                Setting.ESTIMATOR,
                "cannot be combined with one reward per episode: that reward is about the whole episode, and nothing follows"
                        + " its last step. Leave it out, or use e1");
        refuseIf(
                config.real(Setting.DISCOUNT) == 1
                        && config.value(Setting.ESTIMATOR, AdvantageForm.class).bootstraps(),
                Setting.DISCOUNT,
                "cannot be combined with --estimator bootstrap: returns that are bootstrapped without discount grow with"
                        + " every iteration. Use --discount 0.999, or add --estimator e1");
        refuseIf(
                single && config.real(Setting.DISCOUNT) < 1 && !config.flag(Setting.STEP_DISCOUNT),
                Setting.DISCOUNT,
                "with one reward per episode needs --step-discount: without it later steps would count more than"
                        + " earlier ones. Leave it out, or add --step-discount");
        refuseIf(
                reward.ofTask().isEmpty() && config.real(Setting.REWARD_NOISE) > 0,
                Setting.REWARD_NOISE,
                "cannot be combined with external rewards: leave it out");
        refuseIf(
                reward.ofTask().isEmpty() && config.has(Setting.EVALUATE_EVERY),
                Setting.EVALUATE_EVERY,
                "cannot be combined with external rewards: every evaluation would have to be paid for, and the best policy by the"
                        + " task's own reward need not be the best by yours. Leave it out; 'pgkq evaluate RUN --pay 20' scores"
                        + " 20 episodes of the trained policy");
        refuseIf(
                !config.hasTaskReward() && reward.ofTask().isPresent(),
                Setting.TASK_REWARD,
                "needs a reward from elsewhere: give --reward exec:COMMAND, python:MODULE:FUNCTION, http://…, java:CLASS,"
                        + " files:FOLDER or human");
        refuseIf(
                !config.hasTaskReward() && config.has(Setting.CLUSTER),
                Setting.TASK_REWARD,
                "cannot be combined with --cluster: leave out one of them");
        refuseIf(
                reward.isHuman() && config.real(Setting.KEEP_EPISODES) == 0,
                Setting.KEEP_EPISODES,
                "leaves people nothing to watch: leave it out, or give at least 1 with --reward human");
        for (Setting setting : List.of(Setting.REWARD_ON, Setting.CLUSTER_OPTIONS, Setting.CLUSTER_TIMEOUT)) {
            refuseIf(
                    config.isGivenOtherThan(setting, Place.HERE) && !config.has(Setting.CLUSTER),
                    setting,
                    "needs --cluster MASTER: add it, or leave this out");
        }
        refuseIf(
                config.has(Setting.CLUSTER) && config.has(Setting.CLASSPATH),
                Setting.CLASSPATH,
                "cannot be combined with --cluster, whose machines receive what PGKQ_CLASSPATH names: set that instead");
        refuseIf(
                config.rewardsOnCluster() && !Evaluators.runsAnywhere(reward.text()),
                Setting.REWARD_ON,
                "works only with --reward exec: and java:, not with " + Excerpt.first(config.shown(Setting.REWARD))
                        + ": leave it out");
    }

    private void refuseIf(boolean wrong, Setting setting, String why) {
        if (wrong) {
            throw new UserException(config.origin(setting) + " " + Excerpt.first(config.text(setting)) + " " + why);
        }
    }
}
