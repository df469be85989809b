package dev.pgkq.gradient;

import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.credit.Credit;
import dev.pgkq.episode.Steps;
import dev.pgkq.model.Bootstrap;
import dev.pgkq.model.RewardModel;
import dev.pgkq.nn.Regression;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.reward.Rewards;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;

/**
 * Advantages from a reward model for all N episodes, corrected by the model's errors on the n paid ones:
 *
 * <pre>
 *   II:  (1/N) γ^t (R^ψ_t − V(s_t))        for every step of all episodes
 *   I:   w_i γ^t (R_t − R^ψ_t)             for every step of the paid ones
 * </pre>
 *
 * R^ψ are the returns of the model's rewards, each in the form of the advantage. If all episodes are paid for with w = 1/N,
 * the model cancels. If an oracle returns one number for an episode, the model's error in that number replaces R_t − R^ψ_t at
 * every step. It has the same mean, because rewards before a step do not depend on its action, and a lower variance if the
 * model is good. The two parts remain separate samples, so PPO clips each of them by itself.
 *
 * @param model the reward model m
 * @param credit form of the advantage for the model's part
 * @param correctionForm form of the advantage for the correction: the same, or E1 as in the paper
 * @param weights the weights w of the correction
 * @param standardize whether the model's advantages are scaled to variance 1, the correction with the same factor, and both
 *     are shifted to a common mean of 0
 */
public record CorrectedAdvantage(
        RewardModel model, Credit credit, AdvantageForm correctionForm, CorrectionWeights weights, boolean standardize)
        implements AdvantageEstimator {

    @Override
    public AdvantageBatch estimate(PaidBatch paid, Regression baseline) {
        Steps all = paid.allSteps();
        double[] modelled = model.predict(all);
        int count = all.episodes();
        EpisodeAdvantages expected = EpisodeAdvantages.of(
                all,
                new Bootstrap(credit.form(), credit.discount())
                        .complete(all, Rewards.discountedReturns(all, modelled, credit.discount()), baseline),
                baseline.predict(all.observations()),
                credit,
                episode -> 1.0 / count);
        Steps chosen = paid.paidSteps();
        double[] missed = model.missed(paid);
        double[] each = weights.of(paid);
        EpisodeAdvantages correction = EpisodeAdvantages.of(
                chosen,
                Rewards.discountedReturns(chosen, missed, credit.discount()),
                new double[chosen.size()],
                new Credit(correctionForm, credit.discount(), credit.stepDiscount()),
                episode -> each[episode]);
        if (standardize) {
            correction.divide(expected.standardize(correction.sum()));
        }
        AdvantageBatch modelPart = AdvantageBatch.of(all, expected.coefficients());
        return Arrays.stream(each).allMatch(weight -> weight == 0)
                ? modelPart
                : modelPart.and(AdvantageBatch.of(chosen, correction.coefficients()));
    }

    @Override
    public void save(Snapshot.Builder into) {
        weights.save(into);
    }

    @Override
    public void restore(Snapshot saved) {
        weights.restore(saved);
    }
}
