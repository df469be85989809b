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
        int count = all.episodes();
        EpisodeAdvantages advantages = EpisodeAdvantages.of(
                all,
                new Bootstrap(credit.form(), credit.discount())
                        .complete(all, Rewards.discountedReturns(all, rewards.of(paid), credit.discount()), baseline),
                baseline.predict(all.observations()),
                credit,
                episode -> 1.0 / count);
        if (standardize) {
            advantages.standardize();
        }
        return AdvantageBatch.of(all, advantages.coefficients());
    }
}
