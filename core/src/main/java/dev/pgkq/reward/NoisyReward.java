package dev.pgkq.reward;

import dev.pgkq.episode.Episode;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers of an oracle with Gaussian noise in every number it tells: an episode of an iteration always gets the same.
 *
 * @param exact the oracle
 * @param grain what it tells of an episode
 * @param deviation standard deviation of the noise
 * @param seed of the run
 */
public record NoisyReward(RewardOracle exact, Grain grain, double deviation, long seed) implements RewardOracle {
    @Override
    public List<Rewards> evaluate(List<Episode> episodes) {
        List<Rewards> answers = exact.evaluate(episodes);
        List<Rewards> noisy = new ArrayList<>(answers.size());
        for (int e = 0; e < answers.size(); e++) {
            Episode episode = episodes.get(e);
            RandomStream random = RandomStream.of(seed, Purpose.REWARD_NOISE, episode.iteration(), episode.index());
            double[] values = answers.get(e).values().clone();
            int first = grain == Grain.STEP ? 0 : Math.max(0, values.length - 1);
            for (int t = first; t < values.length; t++) {
                values[t] += deviation * random.nextGaussian();
            }
            noisy.add(new Rewards(values));
        }
        return noisy;
    }

    @Override
    public void close() {
        exact.close();
    }
}
