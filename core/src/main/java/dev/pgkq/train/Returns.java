package dev.pgkq.train;

import dev.pgkq.episode.Episode;
import dev.pgkq.gradient.Samples;
import dev.pgkq.policy.ValueTargets;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.reward.Rewards;
import java.util.Arrays;
import java.util.List;

/** What the baseline is fitted to: the returns R_t of the paid episodes, each step with its episode's weight. */
final class Returns {
    private Returns() {}

    static ValueTargets targets(List<Episode> batch, WeightedPoints selected, List<Rewards> rewards, double discount) {
        Samples samples = Samples.of(selected.of(batch));
        float[] values = new float[samples.size()];
        float[] weights = new float[samples.size()];
        for (int i = 0; i < rewards.size(); i++) {
            double[] returns = rewards.get(i).discountedReturns(discount);
            for (int t = 0; t < returns.length; t++) {
                values[samples.start(i) + t] = (float) returns[t];
            }
            Arrays.fill(weights, samples.start(i), samples.start(i + 1), (float) selected.weights()[i]);
        }
        return new ValueTargets(samples.size(), samples.observations(), values, weights);
    }
}
