package dev.pgkq.gradient;

import dev.pgkq.episode.Episode;
import dev.pgkq.policy.ValueFunction;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.reward.Rewards;
import java.util.Arrays;
import java.util.List;

/**
 * The samples of the paid episodes alone: coefficient w_i γ^t Â_t for step t of episode i. With all episodes and w = 1/N
 * these are the small and large batch algorithms.
 *
 * @param form the estimator of Â_t
 * @param discount γ
 * @param stepDiscount whether the factor γ^t of the policy gradient theorem is kept; the machina library leaves it out
 * @param standardize whether coefficients are shifted and scaled to mean 0 and variance 1 over the batch, each counted
 *     with its weight; the machina library does, the paper's formulas do not
 */
public record PlainAdvantage(AdvantageForm form, double discount, boolean stepDiscount, boolean standardize)
        implements AdvantageEstimator {

    @Override
    public AdvantageBatch estimate(
            List<Episode> batch, WeightedPoints selected, List<Rewards> rewards, ValueFunction baseline) {
        Samples samples = Samples.of(selected.of(batch));
        float[] values = baseline.predict(samples.observations());
        double[] advantages = new double[samples.size()];
        double[] weights = new double[samples.size()];
        for (int i = 0; i < rewards.size(); i++) {
            int start = samples.start(i);
            double[] returns = rewards.get(i).discountedReturns(discount);
            float[] episodeValues = Arrays.copyOfRange(values, start, start + returns.length);
            double[] ofEpisode = form.advantages(returns, episodeValues, discount);
            double weight = selected.weights()[i];
            for (int t = 0; t < returns.length; t++) {
                advantages[start + t] = ofEpisode[t];
                weights[start + t] = weight;
                weight *= stepDiscount ? discount : 1;
            }
        }
        if (standardize) {
            standardize(advantages, weights);
        }
        float[] coefficients = new float[samples.size()];
        for (int i = 0; i < coefficients.length; i++) {
            coefficients[i] = (float) (weights[i] * advantages[i]);
        }
        return samples.with(coefficients);
    }

    private static void standardize(double[] advantages, double[] weights) {
        double total = 0;
        double sum = 0;
        for (int i = 0; i < advantages.length; i++) {
            total += weights[i];
            sum += weights[i] * advantages[i];
        }
        double mean = sum / total;
        double squares = 0;
        for (int i = 0; i < advantages.length; i++) {
            advantages[i] -= mean;
            squares += weights[i] * advantages[i] * advantages[i];
        }
        double deviation = Math.sqrt(squares / total);
        if (deviation > 0) {
            for (int i = 0; i < advantages.length; i++) {
                advantages[i] /= deviation;
            }
        }
    }
}
