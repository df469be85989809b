package dev.pgkq.gradient;

import dev.pgkq.credit.Credit;
import dev.pgkq.nn.Regression;
import dev.pgkq.purchase.PaidBatch;

/**
 * The samples of the paid episodes alone: coefficient w_i γ^t Â_t for step t of episode i. With all episodes and w = 1/N
 * these are the small and large batch algorithms.
 *
 * @param credit form of Â_t, γ, and whether the factor γ^t of the policy gradient theorem is kept; the machina library
 *     leaves it out
 * @param standardize whether coefficients are shifted and scaled to mean 0 and variance 1 over the batch, each counted
 *     with its weight; the machina library does, the paper's formulas do not
 */
public record PlainAdvantage(Credit credit, boolean standardize) implements AdvantageEstimator {

    @Override
    public AdvantageBatch estimate(PaidBatch paid, Regression baseline) {
        double[] weights = paid.points().weights();
        EpisodeAdvantages advantages = EpisodeAdvantages.of(
                paid.paidSteps(),
                paid.paidReturns(credit.discount()),
                baseline.predict(paid.paidSteps().observations()),
                credit,
                episode -> weights[episode]);
        if (standardize) {
            advantages.standardize();
        }
        return AdvantageBatch.of(paid.paidSteps(), advantages.coefficients());
    }
}
