package dev.pgkq.gradient;

import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.credit.Credit;
import dev.pgkq.episode.Steps;
import dev.pgkq.model.RewardModel;
import dev.pgkq.nn.Regression;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.reward.Rewards;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;

/**
 * What the reward model expects of all N episodes, and what the n paid ones say it misses:
 *
 * <pre>
 *   II:  (1/N) γ^t (R^ψ_t − V(s_t))        for every step of all episodes
 *   I:   w_i γ^t (R_t − R^ψ_t)             for every step of the paid ones
 * </pre>
 *
 * with R^ψ the returns of the model's rewards, each in the form of the advantage. Where all are paid for with w = 1/N, the model
 * cancels. Where an oracle tells one number for an episode, what the model misses of that stands in for R_t − R^ψ_t at every
 * step: of the same mean, since what came before a step does not depend on its action; and if the model is good, of less
 * variance. The two parts stay two samples: PPO clips them each by itself.
 *
 * @param model m
 * @param credit form of the advantage, for the model's part
 * @param correctionForm form of the advantage for the correction: the same, or E1 as in the paper
 * @param weights w
 * @param standardize whether the model's advantages are scaled to variance 1, the correction with them, and shifted so that
 *     both together have mean 0
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
                Rewards.discountedReturns(all, modelled, credit.discount()),
                baseline.predict(all.observations()),
                credit,
                episode -> 1.0 / count);
        Steps chosen = paid.paidSteps();
        double[] missed = model.missed(paid);
        double[] each = weights.of(paid);
        EpisodeAdvantages correction = EpisodeAdvantages.of(
                chosen,
                Rewards.discountedReturns(chosen, missed, credit.discount()),
                new float[chosen.size()],
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
