package dev.pgkq.train;

import dev.pgkq.batch.EpisodeSource;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.gradient.PolicyGradient;
import dev.pgkq.gradient.Surrogate;
import dev.pgkq.gradient.SurrogateAscent;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.reward.RewardSource;

/** The stages of an iteration. An algorithm is a choice of implementations for them. */
record Pipeline(EpisodeSource source, Method method, RewardSource rewards, PolicyGradient gradient)
        implements AutoCloseable {

    static Pipeline compose(
            EnvironmentSpec spec,
            TrainSettings settings,
            RewardSource rewards,
            EpisodeSource.Opener source,
            Policy policy,
            Workers workers) {
        Surrogate surrogate = switch (settings.algorithm().base()) {
            case VPG -> new Surrogate.LogLikelihood();
            case PPO -> new Surrogate.Clipped(settings.policy().clip());
        };
        Method method = Method.compose(spec, settings, policy, workers);
        PolicyGradient gradient =
                new SurrogateAscent(policy, surrogate, settings.policy().ascent(), settings.seed(), workers);
        // the source last: nothing can fail after it is open
        return new Pipeline(source.open(method.kernel(), workers), method, rewards, gradient);
    }

    @Override
    public void close() {
        try (rewards) {
            source.close();
        }
    }
}
