package dev.pgkq.reward;

import dev.pgkq.episode.Episode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A reward of 1 for every step whose own reward exceeds a threshold, and 0 for the others.
 *
 * @param own the task's own reward; closed with this one
 * @param threshold the threshold
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
