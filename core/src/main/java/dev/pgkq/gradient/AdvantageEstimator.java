package dev.pgkq.gradient;

import dev.pgkq.episode.Episode;
import dev.pgkq.policy.ValueFunction;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.reward.Rewards;
import java.util.List;

/** Turns what was sampled, selected and paid for into weighted samples for the policy step. */
public interface AdvantageEstimator {
    /**
     * @param batch all N episodes
     * @param selected the n that were paid for, with their weights
     * @param rewards theirs, in the same order
     * @param baseline V
     */
    AdvantageBatch estimate(
            List<Episode> batch, WeightedPoints selected, List<Rewards> rewards, ValueFunction baseline);
}
