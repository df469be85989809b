package dev.pgkq.app.report;

import dev.pgkq.app.study.Comparison;
import dev.pgkq.app.study.Group;
import dev.pgkq.app.study.ReturnThresholds;
import dev.pgkq.app.study.Statistic;
import dev.pgkq.app.study.Study;
import dev.pgkq.app.study.StudyRun;
import dev.pgkq.app.study.Summary;
import dev.pgkq.app.study.SummaryBuilder;
import dev.pgkq.text.Durations;
import dev.pgkq.text.Numbers;
import dev.pgkq.train.Base;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tables of a report, with numbers from the {@link Summary}. */
final class Tables {
    private final Study study;
    private final Summary summary;
    private final ReturnThresholds thresholds;
    private final GroupStyles styles;

    Tables(Study study, Summary summary, ReturnThresholds thresholds, GroupStyles styles) {
        this.study = study;
        this.summary = summary;
        this.thresholds = thresholds;
        this.styles = styles;
    }

    /** The tables over all tasks, one per base. */
    String overall() {
        StringBuilder html = new StringBuilder();
        for (Base base : study.bases()) {
            Map<String, String> names = new LinkedHashMap<>();
            for (Comparison comparison : study.comparisons()) {
                comparison.compared().stream()
                        .filter(group -> group.base() == base)
                        .forEach(group -> names.putIfAbsent(group.label(), styles.swatch(group)));
            }
            List<List<String>> rows = new ArrayList<>();
            sorted(base, names)
                    .forEach(label -> rows.add(List.of(
                            names.getOrDefault(label, ""),
                            TableCells.ratio(overall(base, label, Statistic.NORMALIZED_IQM)),
                            TableCells.percent(overall(base, label, Statistic.OVER_SMALL)),
                            TableCells.percent(overall(base, label, Statistic.OVER_RANDOM_MEAN)),
                            TableCells.count(overall(base, label, Statistic.TASKS)))));
            html.append(Html.table(
                    base.name() + ", all tasks",
                    List.of("", "IQM of normalised AUC", "beats small", "beats random-mean", "tasks"),
                    rows));
        }
        return html.toString();
    }

    /** The labels in the order of the summary. */
    private List<String> sorted(Base base, Map<String, String> names) {
        return summary.rows().stream()
                .filter(row -> row.task().equals(Summary.ALL_TASKS)
                        && row.base().equals(Study.baseName(base))
                        && row.statistic() == Statistic.TASKS
                        && names.containsKey(row.label()))
                .map(Summary.Row::label)
                .toList();
    }

    private Optional<Summary.Row> overall(Base base, String label, Statistic statistic) {
        return summary.find(Summary.ALL_TASKS, Study.baseName(base), label, statistic);
    }

    /** The table of one comparison. */
    String of(Comparison comparison) {
        boolean hasTaskReturn = comparison.compared().stream()
                .anyMatch(group -> find(group, Statistic.FINAL_TASK_RETURN).isPresent());
        List<List<String>> rows = new ArrayList<>();
        for (Group group : comparison.compared()) {
            List<String> row = new ArrayList<>(List.of(
                    styles.swatch(group),
                    TableCells.count(find(group, Statistic.SEEDS)),
                    TableCells.plusMinus(find(group, Statistic.FINAL_RETURN)),
                    TableCells.plusMinus(find(group, Statistic.AUC)),
                    TableCells.withInterval(find(group, Statistic.IQM_AUC)),
                    TableCells.percent(find(group, Statistic.CATCH_UP)),
                    TableCells.reaching(
                            find(group, Statistic.EVALUATIONS_TO_THRESHOLD), find(group, Statistic.RUNS_REACHING)),
                    TableCells.plusMinus(find(group, Statistic.WCE_RATIO))));
            if (hasTaskReturn) {
                row.add(TableCells.plusMinus(find(group, Statistic.FINAL_TASK_RETURN)));
            }
            rows.add(row);
        }
        List<String> heads = new ArrayList<>(List.of(
                "",
                "seeds",
                "final return",
                "AUC",
                "IQM of AUC",
                "catch-up",
                "rewards paid to reach " + threshold(comparison),
                "wce / random"));
        if (hasTaskReturn) {
            heads.add("final return, task's own reward");
        }
        return Html.table(StudyFigures.title(comparison) + caption(comparison), heads, rows);
    }

    private String threshold(Comparison comparison) {
        var value = thresholds.of(comparison);
        return value.isPresent() ? Numbers.brief(value.getAsDouble()).replace('-', '−') : "the threshold";
    }

    private String caption(Comparison comparison) {
        return "; iterations 1 to " + comparison.iterations()
                + (comparison.hasExternalRewards() ? "; returns are those of the rewards paid for" : "")
                + (thresholds.isSpecified(comparison) ? "; threshold as specified" : "");
    }

    /** The table of all runs. */
    String runs() {
        List<List<String>> rows = new ArrayList<>();
        for (Comparison comparison : study.comparisons()) {
            List<Group> compared = comparison.compared();
            for (Group group : comparison.groups()) {
                for (StudyRun run : group.runs()) {
                    rows.add(List.of(
                            Html.escape(run.name()),
                            Html.escape(run.task()),
                            Html.escape(run.algorithm().id()),
                            Long.toString(run.seed()),
                            run.iterations() + " of " + run.planned(),
                            compared.contains(group) ? number(group, run, Statistic.AUC) : "–",
                            compared.contains(group) ? number(group, run, Statistic.FINAL_RETURN) : "–",
                            TableCells.count(run.rewardEvaluations()),
                            Durations.format(Duration.ofMillis(Math.round(1000 * run.seconds()))),
                            Html.escape(run.history().words())));
                }
            }
        }
        return Html.table(
                "All runs in the figures",
                List.of(
                        "run",
                        "task",
                        "algorithm",
                        "seed",
                        "iterations",
                        "AUC",
                        "final return",
                        "rewards paid",
                        "time",
                        "state"),
                rows);
    }

    private String number(Group group, StudyRun run, Statistic statistic) {
        return TableCells.plusMinus(summary.find(
                group.task(), Study.baseName(group.base()), SummaryBuilder.seedLabel(group, run), statistic));
    }

    private Optional<Summary.Row> find(Group group, Statistic statistic) {
        return summary.find(group.task(), Study.baseName(group.base()), group.label(), statistic);
    }
}
