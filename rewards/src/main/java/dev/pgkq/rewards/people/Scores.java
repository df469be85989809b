package dev.pgkq.rewards.people;

import dev.pgkq.rewards.people.BradleyTerry.Comparison;
import dev.pgkq.rewards.people.BradleyTerry.Fit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes the scores of an iteration's episodes on the scale of earlier ones.
 *
 * <p>An episode that was scored earlier has a Gaussian prior: the score that training received, with its standard error. So earlier
 * scores define the scale, as they must, because training has learned from them and the ledger stores them; and the fit takes their
 * uncertainty into account. (Treating old scores as exact would understate the errors of the new ones. Fitting all of them again would
 * shift the old ones, and put the new ones on a scale that training does not know.)
 *
 * <p>The prior of new scores is N(μ, τ²) around a common level μ, and that of the level is N(mean of the old ones, τ²). So an improved
 * policy shifts all new scores and is not held back by earlier ones. Without old scores the level is 0 by definition.
 */
final class Scores {
    /** τ, in units of the score: an episode that is better by 1 is preferred e times as often as not. */
    static final double SPREAD = 2;

    private Scores() {}

    /** The score of an earlier episode, as training received it. */
    record EarlierScore(double score, double error) {}

    /** The outcome of comparing two episodes, given by their keys. */
    record Opinion(String first, String second, double outcome) {}

    /** A score with its standard error. */
    record Score(double value, double error) {}

    /**
     * Computes scores.
     *
     * @param fresh keys of the new episodes
     * @param earlier earlier episodes; those that were not compared have no effect
     * @return scores of the new episodes
     */
    static Map<String, Score> of(List<String> fresh, Map<String, EarlierScore> earlier, List<Opinion> opinions) {
        List<String> keys = new ArrayList<>(fresh);
        for (Opinion opinion : opinions) {
            for (String key : List.of(opinion.first, opinion.second)) {
                if (!keys.contains(key)) {
                    keys.add(key);
                }
            }
        }
        int n = keys.size();
        int m = fresh.size();
        List<EarlierScore> anchors =
                keys.subList(m, n).stream().map(key -> known(earlier, key)).toList();
        double level =
                anchors.stream().mapToDouble(EarlierScore::score).average().orElse(0);
        double[] mean = new double[n];
        double[] precision = new double[n * n];
        // (τ² I + ω² 1 1ᵀ)⁻¹ = (I − ω² / (τ² + m ω²) 1 1ᵀ) / τ²
        double square = SPREAD * SPREAD;
        double ofLevel = anchors.isEmpty() ? 0 : square;
        for (int i = 0; i < m; i++) {
            mean[i] = level;
            for (int j = 0; j < m; j++) {
                precision[i * n + j] = ((i == j ? 1 : 0) - ofLevel / (square + m * ofLevel)) / square;
            }
        }
        for (int i = m; i < n; i++) {
            EarlierScore anchor = anchors.get(i - m);
            mean[i] = anchor.score;
            precision[i * n + i] = 1 / (anchor.error * anchor.error);
        }
        List<Comparison> comparisons = opinions.stream()
                .map(opinion ->
                        new Comparison(keys.indexOf(opinion.first), keys.indexOf(opinion.second), opinion.outcome))
                .toList();
        Fit fit = new BradleyTerry(mean, precision, comparisons).fit();
        Map<String, Score> scores = new LinkedHashMap<>();
        for (int i = 0; i < m; i++) {
            scores.put(keys.get(i), new Score(fit.scores()[i], fit.error(i)));
        }
        return scores;
    }

    private static EarlierScore known(Map<String, EarlierScore> earlier, String key) {
        EarlierScore score = earlier.get(key);
        if (score == null) {
            throw new IllegalArgumentException("episode " + key + " was compared but has no score");
        }
        return score;
    }
}
