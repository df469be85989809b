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

/** The section of a report about a small budget, with numbers from the {@link Summary}. */
final class BudgetSection {
    /** The anchor of the section. */
    static final String ID = "budget";

    private final Study study;
    private final Summary summary;
    private final Budget budget;
    private final GroupStyles styles;
    private final String evaluations;

    BudgetSection(Study study, Summary summary, Budget budget, GroupStyles styles) {
        this.study = study;
        this.summary = summary;
        this.budget = budget;
        this.styles = styles;
        this.evaluations = TableCells.count(budget.evaluations());
    }

    String title() {
        return "Return for " + evaluations + " paid rewards";
    }

    String html() {
        StringBuilder html = new StringBuilder(Html.heading(ID, title()));
        html.append("<p>What a run achieves with its first ")
                .append(evaluations)
                .append(
                        " reward evaluations (paid episodes): the mean return when they are spent, and the mean return up to"
                                + " that point. Runs that spent fewer are not included. Use <code>")
                .append(Budget.OPTION)
                .append("</code> to change the budget.</p>\n");
        study.comparisons().forEach(comparison -> html.append(of(comparison)));
        return html.toString();
    }

    private String of(Comparison comparison) {
        List<Group> groups = comparison.groups();
        if (groups.stream().noneMatch(this::isSpent)) {
            return Html.text(
                            "p",
                            StudyFigures.title(comparison) + ": no run spent " + evaluations
                                    + " reward evaluations before its last iteration; the largest number is "
                                    + TableCells.count(spent(groups).getMax()) + ".")
                    + "\n";
        }
        List<List<String>> rows = new ArrayList<>();
        for (Group group : groups) {
            String name = styles.swatch(group);
            rows.add(
                    isSpent(group)
                            ? List.of(
                                    name,
                                    runs(group),
                                    TableCells.withInterval(find(group, Statistic.RETURN_AT_BUDGET)),
                                    TableCells.withInterval(find(group, Statistic.AUC_TO_BUDGET)))
                            : List.of(
                                    name,
                                    runs(group),
                                    "not reached <small>("
                                            + TableCells.count(
                                                    spent(List.of(group)).getMax()) + " spent)</small>",
                                    "not reached"));
        }
        return Html.table(
                StudyFigures.title(comparison)
                        + (comparison.hasExternalRewards() ? "; returns are those of the rewards paid for" : "")
                        + caption(groups),
                List.of("", "runs that spent it", "return at " + evaluations, "mean return up to " + evaluations),
                rows);
    }

    /** If some runs are not included: the largest budget that would include them all. */
    private String caption(List<Group> groups) {
        double least = spent(groups).getMin();
        return least < budget.evaluations()
                ? "; a budget of " + TableCells.count(least) + " would include all runs"
                : "";
    }

    private boolean isSpent(Group group) {
        return find(group, Statistic.RUNS_SPENDING_BUDGET)
                .filter(row -> row.value() > 0)
                .isPresent();
    }

    private String runs(Group group) {
        Optional<Summary.Row> spent = find(group, Statistic.RUNS_SPENDING_BUDGET);
        return TableCells.count(spent) + " of " + group.seeds();
    }

    private static DoubleSummaryStatistics spent(List<Group> groups) {
        return groups.stream()
                .flatMap(group -> group.runs().stream())
                .mapToDouble(Budget::spent)
                .summaryStatistics();
    }

    private Optional<Summary.Row> find(Group group, Statistic statistic) {
        return summary.find(group.task(), Study.baseName(group.base()), group.label(), statistic);
    }
}
