package dev.pgkq.app.training;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.run.Checkpoints;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.reward.Answer;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.desk.RewardDesk;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Trainer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the first answer of an external reward shows: whether rewards are given for steps or for episodes.
 *
 * <p>The algorithm, and with it the choice of episodes, depends on that. So it is found out before the first iteration, with an
 * episode that the first iteration samples in any case: it is evaluated in place of another one, and its answer is used. A run that
 * is resumed after its first iteration reads from the checkpoint what rewards are given for. Before that it asks for the same
 * episode again, and the ledger has the answer; if it was given up, another one is asked for.
 *
 * @param grain what rewards are given for
 * @param episode index in the first batch of the episode that was evaluated; empty if none was
 */
record FirstReward(Grain grain, OptionalInt episode) {
    /** The settings of a run, with what its checkpoint says about rewards. */
    static RunConfig restored(RunConfig config, Checkpoints checkpoints) {
        if (!config.isGrainOpen()) {
            return config;
        }
        return checkpoints
                .newest()
                .map(found -> found.saved().snapshot().attributes().get(Trainer.REWARD_PER))
                .map(word -> config.withGrain(Grain.valueOf(word.toUpperCase(Locale.ROOT))))
                .orElse(config);
    }

    /** The first episodes that a run samples, as many as one iteration may pay for. */
    static List<Episode> candidates(TrainingPlan plan) {
        long seed = plan.settings().seed();
        try (Workers workers = new Workers(plan.threads());
                LocalRollouts rollouts = new LocalRollouts(plan.task(), seed, RolloutMode.TRAINING, workers)) {
            Policy policy =
                    Policy.initialize(plan.task().spec(), plan.settings().hidden(), seed);
            return rollouts.sample(policy, 1, plan.settings().needed());
        }
    }

    /**
     * Finds out what rewards are given for. If the source does not say it, it is asked for the first episode that it can evaluate. Those that
     * it could not evaluate at an earlier start come last.
     *
     * @throws dev.pgkq.rewards.desk.BudgetReached if the budget does not allow that
     * @throws UserException if there is no answer
     */
    static FirstReward of(RewardDesk desk, List<Episode> candidates) {
        Optional<Grain> known = desk.knownGrain();
        if (known.isPresent()) {
            return new FirstReward(known.get(), OptionalInt.empty());
        }
        String reason = "no episode has a step";
        for (Episode episode : desk.givenUpLast(candidates)) {
            if (episode.length() == 0) {
                continue;
            }
            switch (desk.request(List.of(episode)).getFirst()) {
                case Answer.Paid paid -> {
                    return new FirstReward(desk.lastGrain().orElseThrow(), OptionalInt.of(episode.index()));
                }
                case Answer.Failed failed -> reason = failed.reason();
                case Answer.NotBought notBought -> throw notBought.reason();
            }
        }
        throw new UserException("none of the first " + RunJournal.counted(candidates.size(), "episode")
                + " could be evaluated: " + reason + ". Fix the cause and start again with --resume");
    }
}
