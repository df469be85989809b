package dev.pgkq.reward;

import dev.pgkq.env.Yardstick;
import dev.pgkq.episode.Episode;
import java.util.ArrayList;
import java.util.List;

/**
 * One score from 0 to 10 for a whole episode, similar to the rating of a person who watches it:
 *
 * <pre>
 *   10 · g / (g + h) · (1 + s) / 2,   s = 1 / (1 + 4 d²)
 * </pre>
 *
 * where g is the episode's return above the poor return, h the good return above the poor one, and d² the mean square of the
 * change of an encoded action (between −1 and 1) from one step to the next. The score saturates, and jerky actions halve it.
 *
 * @param own the task's own reward; closed with this one
 * @param yardstick the poor and the good return
 */
public record RatingReward(RewardOracle own, Yardstick yardstick) implements RewardOracle {
    private static final double BEST = 10;
    private static final double DISLIKE_OF_JUMPS = 4;

    @Override
    public List<Rewards> evaluate(List<Episode> episodes) {
        List<Rewards> rewards = own.evaluate(episodes);
        List<Rewards> scores = new ArrayList<>(episodes.size());
        for (int e = 0; e < episodes.size(); e++) {
            double score = score(rewards.get(e).total(), jumps(episodes.get(e)));
            scores.add(Rewards.ofEpisode(score, episodes.get(e).length()));
        }
        return scores;
    }

    private double score(double earned, double jumps) {
        double above = Math.max(0, earned - yardstick.poorReturn());
        double good = yardstick.goodReturn() - yardstick.poorReturn();
        double smoothness = 1 / (1 + DISLIKE_OF_JUMPS * jumps);
        return BEST * above / (above + good) * (1 + smoothness) / 2;
    }

    /** Returns d². */
    private static double jumps(Episode episode) {
        if (episode.length() < 2) {
            return 0;
        }
        float[] actions = episode.actions();
        int size = actions.length / episode.length();
        double squares = 0;
        for (int i = size; i < actions.length; i++) {
            double jump = Math.clamp(actions[i], -1f, 1f) - Math.clamp(actions[i - size], -1f, 1f);
            squares += jump * jump;
        }
        return squares / (actions.length - size);
    }

    @Override
    public void close() {
        own.close();
    }
}
