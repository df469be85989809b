package dev.pgkq.app.report;

import dev.pgkq.app.study.Budget;
import dev.pgkq.app.study.Comparison;
import dev.pgkq.app.study.Group;
import dev.pgkq.app.study.Statistic;
import dev.pgkq.app.study.Study;
import dev.pgkq.app.study.Summary;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;

/** What a report says of a small budget. All of its numbers come from the {@link Summary}. */
final class BudgetSection {
    /** The anchor of the section. */
    static final String ID = "budget";

    private final Study study;
    private final Summary summary;
    private final Budget budget;
    private final String evaluations;

    BudgetSection(Study study, Summary summary, Budget budget) {
        this.study = study;
        this.summary = summary;
        this.budget = budget;
        this.evaluations = Cells.count(budget.evaluations());
    }

    String title() {
        return "With " + evaluations + " rewards paid";
    }

    String html() {
        StringBuilder html = new StringBuilder(Html.heading(ID, title()));
        html.append("<p>What the first ")
                .append(evaluations)
                .append(
                        " reward evaluations (paid episodes) of a run buy: the mean return where they are spent, and the"
                                + " mean over the way there. Runs that spent fewer are not in these numbers. <code>")
                .append(Budget.OPTION)
                .append("</code> gives another budget.</p>\n");
        study.comparisons().forEach(comparison -> html.append(of(comparison)));
        return html.toString();
    }

    private String of(Comparison comparison) {
        List<Group> groups = comparison.groups();
        if (groups.stream().noneMatch(this::isSpent)) {
            return Html.text(
                            "p",
                            StudyFigures.title(comparison) + ": no run shows what " + evaluations
                                    + " reward evaluations buy; the most that one had paid for before its last iteration is "
                                    + Cells.count(spent(groups).getMax()) + ".")
                    + "\n";
        }
        List<List<String>> rows = new ArrayList<>();
        for (Group group : groups) {
            String name = Tables.swatch(comparison, group);
            rows.add(
                    isSpent(group)
                            ? List.of(
                                    name,
                                    runs(group),
                                    Cells.between(find(group, Statistic.RETURN_AT_BUDGET)),
                                    Cells.between(find(group, Statistic.AUC_TO_BUDGET)))
                            : List.of(
                                    name,
                                    runs(group),
                                    "not reached <small>("
                                            + Cells.count(spent(List.of(group)).getMax()) + " spent)</small>",
                                    "not reached"));
        }
        return Html.table(
                StudyFigures.title(comparison) + caption(groups),
                List.of("", "runs that spent it", "return at " + evaluations, "mean return up to " + evaluations),
                rows);
    }

    /** Where some runs are not in the numbers: which budget would have them all. */
    private String caption(List<Group> groups) {
        double least = spent(groups).getMin();
        return least < budget.evaluations()
                ? "; " + Cells.count(least) + " is what every run had paid for before its last iteration"
                : "";
    }

    private boolean isSpent(Group group) {
        return find(group, Statistic.RUNS_SPENDING_BUDGET)
                .filter(row -> row.value() > 0)
                .isPresent();
    }

    private String runs(Group group) {
        Optional<Summary.Row> spent = find(group, Statistic.RUNS_SPENDING_BUDGET);
        return Cells.count(spent) + " of " + group.seeds();
    }

    private static DoubleSummaryStatistics spent(List<Group> groups) {
        return groups.stream()
                .flatMap(group -> group.runs().stream())
                .mapToDouble(Budget::spent)
                .summaryStatistics();
    }

    private Optional<Summary.Row> find(Group group, Statistic statistic) {
        return summary.find(group.task(), Study.words(group.base()), group.label(), statistic);
    }
}
