package dev.pgkq.train;

import dev.pgkq.env.Task;
import dev.pgkq.episode.EpisodeSource;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.gradient.AdvantageEstimator;
import dev.pgkq.gradient.PlainAdvantage;
import dev.pgkq.gradient.PolicyGradient;
import dev.pgkq.gradient.Surrogate;
import dev.pgkq.gradient.SurrogateAscent;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.GaussianPolicy;
import dev.pgkq.reward.EnvironmentReward;
import dev.pgkq.reward.RewardOracle;
import dev.pgkq.select.EpisodeSelector;

/** The stages of an iteration. An algorithm is a choice of them, nothing more. */
record Pipeline(
        EpisodeSource source,
        EpisodeSelector selector,
        RewardOracle oracle,
        AdvantageEstimator advantage,
        PolicyGradient gradient)
        implements AutoCloseable {

    /** The table of algorithms. */
    static Pipeline compose(Task task, TrainSettings settings, GaussianPolicy policy, Workers workers) {
        EpisodeSelector selector = switch (settings.algorithm().variant()) {
            case SMALL, LARGE -> EpisodeSelector.all();
        };
        AdvantageEstimator advantage = switch (settings.algorithm().variant()) {
            case SMALL, LARGE ->
                new PlainAdvantage(
                        settings.estimator(), settings.discount(), settings.stepDiscount(), settings.standardize());
        };
        Surrogate surrogate = switch (settings.algorithm().base()) {
            case VPG -> new Surrogate.LogLikelihood();
            case PPO -> new Surrogate.Clipped(settings.clip());
        };
        return new Pipeline(
                new LocalRollouts(task, settings.seed(), RolloutMode.TRAINING, workers),
                selector,
                new EnvironmentReward(task),
                advantage,
                new SurrogateAscent(policy, surrogate, settings.policy(), settings.seed(), workers));
    }

    @Override
    public void close() {
        source.close();
        oracle.close();
    }
}
