package dev.pgkq.app.report;

import dev.pgkq.app.plot.Figure;
import dev.pgkq.app.plot.IntervalChart;
import dev.pgkq.app.plot.LineStyle;
import dev.pgkq.app.plot.Panel;
import dev.pgkq.app.plot.VariantStyles;
import dev.pgkq.app.study.Axis;
import dev.pgkq.app.study.Comparison;
import dev.pgkq.app.study.Group;
import dev.pgkq.app.study.Statistic;
import dev.pgkq.app.study.Study;
import dev.pgkq.app.study.Summary;
import dev.pgkq.statistics.MeanCurve;
import dev.pgkq.train.Base;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/** The figures of a study. */
final class StudyFigures {
    private StudyFigures() {}

    /** The mean returns of all groups. */
    static Figure returns(Comparison comparison, Axis axis) {
        return figure(
                comparison,
                "return-by-" + axis.slug(),
                title(comparison),
                axis.label(),
                comparison.hasExternalRewards() ? "mean return (paid rewards)" : "mean return",
                OptionalDouble.empty(),
                group -> group.returns(axis));
    }

    /** With external rewards, the mean returns in the task's own reward; empty if no group has one. */
    static Optional<Figure> taskReturns(Comparison comparison) {
        Axis axis = Axis.REWARD_EVALUATIONS;
        return unlessEmpty(figure(
                comparison,
                "task-return-by-" + axis.slug(),
                title(comparison),
                axis.label(),
                "mean return (task's own reward)",
                OptionalDouble.empty(),
                group -> group.taskReturns(axis)));
    }

    /** The worst-case error relative to random selection; empty if no group has one. */
    static Optional<Figure> errorRatio(Comparison comparison) {
        return unlessEmpty(figure(
                comparison,
                "wce-ratio",
                title(comparison) + ": worst-case error",
                Axis.ITERATIONS.label(),
                "relative to random selection",
                OptionalDouble.of(1),
                Group::errorRatio));
    }

    private static Optional<Figure> unlessEmpty(Figure figure) {
        return figure.lines().isEmpty() ? Optional.empty() : Optional.of(figure);
    }

    /** All comparisons: one row per task, one column per base. */
    static Panel panel(Study study, Axis axis) {
        List<List<Optional<Figure>>> rows = new ArrayList<>();
        for (String task : study.tasks()) {
            List<Optional<Figure>> row = new ArrayList<>();
            for (Base base : study.bases()) {
                row.add(study.comparisons().stream()
                        .filter(comparison -> comparison.task().equals(task) && comparison.base() == base)
                        .findFirst()
                        .map(comparison -> returns(comparison, axis)));
            }
            rows.add(row);
        }
        return new Panel("all-by-" + axis.slug(), rows);
    }

    /** The normalised AUC of each variant over all tasks; empty if there is none. */
    static Optional<IntervalChart> overall(Study study, Summary summary) {
        List<IntervalChart.Column> columns = new ArrayList<>();
        for (Base base : study.bases()) {
            List<IntervalChart.Dot> dots = new ArrayList<>();
            for (Summary.Row row : summary.rows()) {
                if (row.statistic() == Statistic.NORMALIZED_IQM && row.base().equals(Study.baseName(base))) {
                    dots.add(new IntervalChart.Dot(
                            row.label(),
                            style(study, base, row.label()),
                            row.value(),
                            row.interval().low(),
                            row.interval().high()));
                }
            }
            if (!dots.isEmpty()) {
                columns.add(new IntervalChart.Column(base.name(), dots));
            }
        }
        return columns.isEmpty()
                ? Optional.empty()
                : Optional.of(new IntervalChart(
                        "overall",
                        "normalised AUC, interquartile mean",
                        List.of(new IntervalChart.Mark(0, "small"), new IntervalChart.Mark(1, "large")),
                        columns));
    }

    private static LineStyle style(Study study, Base base, String label) {
        return study.comparisons().stream()
                .filter(comparison -> comparison.base() == base)
                .flatMap(comparison -> comparison.groups().stream()
                        .filter(group -> group.label().equals(label))
                        .map(group -> style(comparison, group)))
                .findFirst()
                .orElseThrow();
    }

    /** The style of a group's line. */
    static LineStyle style(Comparison comparison, Group group) {
        int number = comparison.groups().stream()
                .filter(other -> other.variant() == group.variant())
                .toList()
                .indexOf(group);
        return VariantStyles.of(group.variant(), number);
    }

    private static Figure figure(
            Comparison comparison,
            String kind,
            String title,
            String xLabel,
            String yLabel,
            OptionalDouble reference,
            Function<Group, MeanCurve> curves) {
        List<Figure.Line> lines = new ArrayList<>();
        for (Group group : comparison.groups()) {
            MeanCurve curve = curves.apply(group);
            lines.add(new Figure.Line(
                    group.label(), style(comparison, group), curve.x(), curve.mean(), curve.error(), curve.count()));
        }
        return new Figure(slug(comparison) + "-" + kind, title, xLabel, yLabel, reference, lines);
    }

    static String title(Comparison comparison) {
        return comparison.task() + ", " + comparison.base().name();
    }

    private static String slug(Comparison comparison) {
        String words = comparison.task() + "-" + comparison.base().name();
        return words.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]+", "-");
    }
}
