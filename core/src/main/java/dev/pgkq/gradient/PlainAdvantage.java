package dev.pgkq.gradient;

import dev.pgkq.credit.Credit;
import dev.pgkq.model.Bootstrap;
import dev.pgkq.nn.Regression;
import dev.pgkq.purchase.PaidBatch;

/**
 * Advantages of the paid episodes alone: the coefficient of step t of episode i is w_i γ^t Â_t. With all episodes and
 * w = 1/N, these are the small-batch and large-batch algorithms.
 *
 * @param credit form of Â_t, γ, and whether the factor γ^t of the policy gradient theorem is kept; the machina library omits
 *     it
 * @param standardize whether advantages are shifted and scaled to weighted mean 0 and variance 1 over the batch; the machina
 *     library does so, the paper's formulas do not
 */
public record PlainAdvantage(Credit credit, boolean standardize) implements AdvantageEstimator {

    @Override
    public AdvantageBatch estimate(PaidBatch paid, Regression baseline) {
        double[] weights = paid.points().weights();
        EpisodeAdvantages advantages = EpisodeAdvantages.of(
                paid.paidSteps(),
                new Bootstrap(credit.form(), credit.discount())
                        .complete(paid.paidSteps(), paid.paidReturns(credit.discount()), baseline),
                baseline.predict(paid.paidSteps().observations()),
                credit,
                episode -> weights[episode]);
        if (standardize) {
            advantages.standardize();
        }
        return AdvantageBatch.of(paid.paidSteps(), advantages.coefficients());
    }
}
