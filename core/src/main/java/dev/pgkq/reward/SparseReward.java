package dev.pgkq.reward;

import dev.pgkq.episode.Episode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A bonus of 1 for every step that earns more than a threshold, and nothing for the others.
 *
 * @param own what a step earns
 * @param threshold what it has to earn
 */
public record SparseReward(RewardOracle own, double threshold) implements RewardOracle {
    @Override
    public List<Rewards> evaluate(List<Episode> episodes) {
        List<Rewards> bonuses = new ArrayList<>(episodes.size());
        for (Rewards rewards : own.evaluate(episodes)) {
            bonuses.add(new Rewards(Arrays.stream(rewards.values())
                    .map(reward -> reward > threshold ? 1 : 0)
                    .toArray()));
        }
        return bonuses;
    }

    @Override
    public void close() {
        own.close();
    }
}
