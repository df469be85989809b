package dev.pgkq.app.report;

import dev.pgkq.app.plot.Figure;
import dev.pgkq.app.plot.IntervalChart;
import dev.pgkq.app.plot.Panel;
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

/**
 * The figures of a study.
 *
 * @param styles of the lines
 */
record StudyFigures(Study study, GroupStyles styles) {
    /** Figures in a row, where they are not in columns by base. */
    private static final int COLUMNS = 2;

    static StudyFigures of(Study study) {
        return new StudyFigures(study, GroupStyles.of(study));
    }

    /** The mean returns of all groups. */
    Figure returns(Comparison comparison, Axis axis) {
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
    Optional<Figure> taskReturns(Comparison comparison) {
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
    Optional<Figure> errorRatio(Comparison comparison) {
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

    /** The name of {@link #panel}. */
    static String panelName(Axis axis) {
        return "all-by-" + axis.slug();
    }

    /** All comparisons, each in a figure of its own: one row per task and one column per base, or two columns for one base. */
    Panel panel(Axis axis) {
        List<List<Optional<Figure>>> rows = new ArrayList<>();
        if (study.bases().size() == 1) {
            List<Optional<Figure>> all = study.comparisons().stream()
                    .map(comparison -> Optional.of(returns(comparison, axis)))
                    .toList();
            for (int i = 0; i < all.size(); i += COLUMNS) {
                rows.add(all.subList(i, Math.min(all.size(), i + COLUMNS)));
            }
            return new Panel(panelName(axis), rows);
        }
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
        return new Panel(panelName(axis), rows);
    }

    /** The normalised AUC of each variant over all tasks; empty if there is none. */
    Optional<IntervalChart> overall(Summary summary) {
        List<IntervalChart.Column> columns = new ArrayList<>();
        for (Base base : study.bases()) {
            List<IntervalChart.Dot> dots = new ArrayList<>();
            for (Summary.Row row : summary.rows()) {
                if (row.statistic() == Statistic.NORMALIZED_IQM && row.base().equals(Study.baseName(base))) {
                    dots.add(new IntervalChart.Dot(
                            row.label(),
                            styles.of(row.label()),
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

    private Figure figure(
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
                    group.label(), styles.of(group), curve.x(), curve.mean(), curve.error(), curve.count()));
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
