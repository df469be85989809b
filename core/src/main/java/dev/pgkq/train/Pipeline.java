package dev.pgkq.train;

import dev.pgkq.env.Task;
import dev.pgkq.episode.EpisodeSource;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.gradient.PolicyGradient;
import dev.pgkq.gradient.Surrogate;
import dev.pgkq.gradient.SurrogateAscent;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.GaussianPolicy;
import dev.pgkq.reward.RewardSource;

/** The stages of an iteration. An algorithm is a choice of them, nothing more. */
record Pipeline(EpisodeSource source, Method method, RewardSource rewards, PolicyGradient gradient)
        implements AutoCloseable {

    static Pipeline compose(
            Task task, TrainSettings settings, RewardSource rewards, GaussianPolicy policy, Workers workers) {
        Surrogate surrogate = switch (settings.algorithm().base()) {
            case VPG -> new Surrogate.LogLikelihood();
            case PPO -> new Surrogate.Clipped(settings.clip());
        };
        return new Pipeline(
                new LocalRollouts(task, settings.seed(), RolloutMode.TRAINING, workers),
                Method.compose(task.spec(), settings, policy, workers),
                rewards,
                new SurrogateAscent(policy, surrogate, settings.policy(), settings.seed(), workers));
    }

    @Override
    public void close() {
        source.close();
        rewards.close();
    }
}
