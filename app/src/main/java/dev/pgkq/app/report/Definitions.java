package dev.pgkq.app.report;

import dev.pgkq.statistics.Bootstrap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The definitions of a report's numbers. {@code docs/reports.md} has the details. */
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
                "The mean undiscounted return of all episodes that an iteration samples, including the policy's noise. If only"
                        + " some episodes are paid for, the returns of the others are used for the figures only, never for"
                        + " training.");
        terms.put(
                "Returns with rewards from outside",
                "With a program, a service or people as the source of rewards, only some episodes have a reward. The mean"
                        + " return of an iteration is then estimated from those: the mean of the rewards paid for, with the"
                        + " algorithm's weights, or what kq-bayes expects given everything paid for (paid_return in"
                        + " metrics.csv). All numbers of such runs are in the unit of these rewards. The task's own return"
                        + " is shown separately.");
        terms.put(
                "Curves",
                "The mean over seeds; the band is one standard error to either side. On the axes of steps and reward"
                        + " evaluations, seeds may have points at different positions. Each seed's curve is then interpolated"
                        + " linearly, and the mean covers the range that all seeds of the group have. Iterations that pay for"
                        + " no episode have the same number of reward evaluations as the one before. The last of them counts:"
                        + " it shows what these rewards achieved.");
        terms.put(
                "Common iterations",
                "The tables use the iterations that all compared groups have. Runs with less than half the iterations of the"
                        + " longest run of their group, and groups with less than half the iterations of the longest group,"
                        + " are left out and listed under Runs.");
        terms.put(
                "AUC",
                "The mean of a run's mean returns over the common iterations, that is, the area under its curve per iteration;"
                        + " ± is one standard error over seeds.");
        terms.put("Final return", "The mean over the last tenth of the common iterations; ± as above.");
        terms.put(
                "Catch-up",
                "(AUC − AUC of small) / (AUC of large − AUC of small), from means over seeds. 0 % is as good as the small"
                        + " batch, 100 % as good as the large one. A dash means that the large batch is not ahead, or is missing.");
        terms.put(
                "Rewards paid to reach a threshold",
                "Reward evaluations (paid episodes), including those of the iteration itself, until a run's mean return first"
                        + " reaches the threshold, interpolated linearly between iterations. The table shows the median over"
                        + " seeds, and how many seeds reached it within the common iterations. Unless specified, the"
                        + " threshold is half-way between the small batch's first and the large batch's best mean return."
                        + " The mean of few episodes is noisy and reaches a threshold slightly sooner by chance, which"
                        + " favours small.");
        terms.put(
                "Return at a budget, mean return up to it",
                "A run's mean return as a function of the reward evaluations paid before each iteration, interpolated linearly"
                        + " between iterations. The policy that samples an iteration has learned from the rewards paid before"
                        + " it and not from the iteration's own, so the first iteration is at 0 evaluations. If the same number"
                        + " was paid before several iterations, the last of them counts. The two numbers"
                        + " are the value of this curve at the budget, and the area under it from 0 to the budget divided by"
                        + " the budget. They are means over the seeds that had spent the budget before their last iteration,"
                        + " whatever their number of iterations.");
        terms.put(
                "IQM",
                "The interquartile mean: the mean without the lowest and the highest quarter of the runs. Over all tasks, the"
                        + " AUC is first normalised, with 0 for the mean of small and 1 for the mean of large on each task;"
                        + " tasks where large is not ahead are left out.");
        terms.put(
                "Beats small, beats random-mean",
                "The probability of improvement: the share of pairs of runs in which this variant has the larger AUC, ties"
                        + " counting half; over all tasks, the mean over tasks. 50 % means no difference.");
        terms.put(
                "wce / random",
                "The quadrature's worst-case error divided by that of the same number of random episodes; below 1 is better"
                        + " than random. The mean over the common iterations.");
        terms.put(
                "Intervals in brackets",
                String.format(
                        Locale.ROOT,
                        "%.0f %% percentile bootstrap, %,d resamples with a fixed seed; the runs of each variant and task"
                                + " are resampled separately. A single seed has no interval; from fewer than about five"
                                + " seeds intervals are too narrow.",
                        100 * Bootstrap.LEVEL,
                        Bootstrap.RESAMPLES));
        terms.put(
                "Not resolved",
                "The interval is too wide to tell: that of a catch-up or a normalised AUC contains both the small batch (0)"
                        + " and the large one (1), or that of \"beats\" contains 50 %. More seeds make intervals narrower: four"
                        + " times as many, half as wide.");
        return terms;
    }
}
