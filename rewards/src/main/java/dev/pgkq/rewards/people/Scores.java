package dev.pgkq.rewards.people;

import dev.pgkq.rewards.people.BradleyTerry.Comparison;
import dev.pgkq.rewards.people.BradleyTerry.Fit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The scores of an iteration's episodes, on the scale of those before.
 *
 * <p>An episode that was scored earlier enters with the score that training was told and its standard error as a Gaussian prior.
 * So what was told stays the measure for what comes, as it must, since training has learned from it and the ledger keeps it; and
 * the fit knows how sure the measure is. (To take old scores as exact would promise too much of the new ones; to fit all anew would
 * move the old ones, and the new ones would be on a scale that nobody was told.)
 *
 * <p>The new ones are N(μ, τ²) around a common level μ, and the level is N(mean of the old ones, τ²): a policy that gets better
 * moves all of them, and is not held back by what came before. Without old ones the level is 0, by definition.
 */
final class Scores {
    /** τ, in the unit of the scores: one that is better by 1 is found so e times as often as not. */
    static final double SPREAD = 2;

    private Scores() {}

    /** What an earlier episode was told to be worth. */
    record Told(double score, double error) {}

    /** A comparison of two episodes, by their keys. */
    record Opinion(String first, String second, double outcome) {}

    /** A score with its standard error. */
    record Score(double value, double error) {}

    /**
     * @param fresh keys of the new episodes
     * @param told earlier ones; those that nothing was compared with do not matter
     */
    static Map<String, Score> of(List<String> fresh, Map<String, Told> told, List<Opinion> opinions) {
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
        List<Told> anchors =
                keys.subList(m, n).stream().map(key -> known(told, key)).toList();
        double level = anchors.stream().mapToDouble(Told::score).average().orElse(0);
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
            Told anchor = anchors.get(i - m);
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

    private static Told known(Map<String, Told> told, String key) {
        Told score = told.get(key);
        if (score == null) {
            throw new IllegalArgumentException("episode " + key + " was compared with, and has no score");
        }
        return score;
    }
}
