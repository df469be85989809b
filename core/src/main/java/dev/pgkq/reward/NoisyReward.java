package dev.pgkq.reward;

import dev.pgkq.episode.Episode;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds Gaussian noise to every number of an oracle. The noise of an episode depends on the seed, the iteration and the index
 * only.
 *
 * @param exact the oracle without noise; closed with this one
 * @param grain granularity of its rewards
 * @param deviation standard deviation of the noise
 * @param seed seed of the run
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
