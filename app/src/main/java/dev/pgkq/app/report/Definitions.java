package dev.pgkq.app.report;

import dev.pgkq.statistics.Bootstrap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** How each number of a report is computed, for its readers. {@code docs/reports.md} says it at more length. */
final class Definitions {
    private Definitions() {}

    static String html() {
        StringBuilder html = new StringBuilder("<dl>\n");
        all().forEach((term, text) ->
                html.append(Html.text("dt", term)).append(Html.text("dd", text)).append('\n'));
        return html.append("</dl>\n").toString();
    }

    private static Map<String, String> all() {
        Map<String, String> terms = new LinkedHashMap<>();
        terms.put(
                "Mean return",
                "Of all episodes that an iteration samples, undiscounted, with the policy's noise. Where only some are paid"
                        + " for, the others' returns are looked up for the figures and never trained on. Where rewards come"
                        + " from outside, it is the return by the task's own reward.");
        terms.put(
                "Curves",
                "The mean over seeds; the band is one standard error to either side. Against steps and reward evaluations,"
                        + " where seeds have their points at different places, each seed's curve is straight between its"
                        + " points, and the mean is over the range that all seeds of the group cover.");
        terms.put(
                "Common iterations",
                "Numbers are of the iterations that all compared groups have. A run with less than half the iterations of"
                        + " the longest of its group, or a group with less than half of the longest group, is left out and"
                        + " named.");
        terms.put(
                "AUC",
                "The mean of a run's mean returns over the common iterations; ± is one standard error over seeds.");
        terms.put("Final return", "The mean over the last tenth of the common iterations; ± as above.");
        terms.put(
                "Catch-up",
                "(AUC − AUC of small) / (AUC of large − AUC of small), from means over seeds. 0 % is as good as the small"
                        + " batch, 100 % as good as the large one. A dash: the large batch is not ahead, or is missing.");
        terms.put(
                "Rewards paid to reach a threshold",
                "Reward evaluations (paid episodes) until a run's mean return is first at the threshold, between iterations"
                        + " by linear interpolation. The median over seeds, and how many of them got there within the"
                        + " common iterations. Unless given, the threshold is half-way between the small batch's first and"
                        + " the large batch's best mean return. Means of few episodes are noisy and reach a threshold by"
                        + " luck a little sooner: this favours small.");
        terms.put(
                "Return at a budget, mean return up to it",
                "A run's mean return as a curve over its reward evaluations, straight between iterations: its height where"
                        + " the budget is spent, and the area under it up to there divided by the budget. Before the first"
                        + " iteration's payment the curve is as high as there. An iteration stands where its own rewards"
                        + " are paid, though its return is of the policy before it learned from them. Means over the seeds"
                        + " that spent the budget, whatever their number of iterations.");
        terms.put(
                "IQM",
                "The interquartile mean: the mean without the lowest and the highest quarter of the runs. Over all tasks,"
                        + " AUC is first put on a scale with 0 for the mean of small and 1 for the mean of large on each"
                        + " task; tasks where large is not ahead are left out.");
        terms.put(
                "Beats small, beats random-mean",
                "The probability of improvement: the share of pairs of runs in which this one has the larger AUC, ties"
                        + " counting half; over all tasks their mean. 50 % is no difference.");
        terms.put(
                "wce / random",
                "The quadrature's worst-case error divided by that of equally many episodes chosen at random; below 1 is"
                        + " better than chance. The mean over the common iterations.");
        terms.put(
                "Intervals in brackets",
                String.format(
                        Locale.ROOT,
                        "%.0f %% percentile bootstrap, %,d resamples with a fixed seed, runs of each variant and task"
                                + " resampled on their own. None from a single seed; from fewer than about five they are"
                                + " too narrow.",
                        100 * Bootstrap.LEVEL,
                        Bootstrap.RESAMPLES));
        return terms;
    }
}
