package dev.pgkq.gradient;

import dev.pgkq.credit.Credit;
import dev.pgkq.episode.Steps;
import dev.pgkq.model.Bootstrap;
import dev.pgkq.model.RewardEstimate;
import dev.pgkq.nn.Regression;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.reward.Rewards;

/**
 * Advantages of all N episodes from estimated rewards: what the large batch would give if the estimates were true.
 *
 * @param rewards estimates the rewards
 * @param credit form of the advantage
 * @param standardize whether advantages are shifted and scaled to mean 0 and variance 1 over the batch
 */
public record EstimatedAdvantage(RewardEstimate rewards, Credit credit, boolean standardize)
        implements AdvantageEstimator {
    @Override
    public AdvantageBatch estimate(PaidBatch paid, Regression baseline) {
        Steps all = paid.allSteps();
        EpisodeAdvantages advantages = advantages(all, rewards.of(paid), baseline, 1.0 / all.episodes());
        if (standardize) {
            advantages.standardize();
        }
        return AdvantageBatch.of(all, advantages.coefficients());
    }

    /**
     * Computes g_t Â_t from given rewards; not standardised.
     *
     * @param steps of episodes
     * @param given the reward of every step
     * @param baseline V
     * @return g_t Â_t of every step
     */
    public double[] weighted(Steps steps, double[] given, Regression baseline) {
        return advantages(steps, given, baseline, 1).weighted();
    }

    private EpisodeAdvantages advantages(Steps steps, double[] given, Regression baseline, double weight) {
        return EpisodeAdvantages.of(
                steps,
                new Bootstrap(credit.form(), credit.discount())
                        .complete(steps, Rewards.discountedReturns(steps, given, credit.discount()), baseline),
                baseline.predict(steps.observations()),
                credit,
                episode -> weight);
    }
}
