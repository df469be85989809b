package dev.pgkq.app.report;

import dev.pgkq.app.study.Axis;
import dev.pgkq.app.study.Group;
import dev.pgkq.app.study.Study;
import dev.pgkq.app.study.Summary;
import dev.pgkq.rewards.files.Csv;
import dev.pgkq.rewards.files.WholeFile;
import dev.pgkq.statistics.MeanCurve;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Writes the report's data files, {@code summary.csv} and {@code curves.csv}. */
final class DataFiles {
    private DataFiles() {}

    /** Writes every number of the report, one per line: {@code inf} for thresholds not reached, empty for missing values. */
    static void writeSummary(Path file, Summary summary) {
        StringBuilder text = new StringBuilder("task,base,variant,label,statistic,value,low,high,n,interval\n");
        for (Summary.Row row : summary.rows()) {
            text.append(Csv.line(
                    row.task(),
                    row.base(),
                    row.variant(),
                    row.label(),
                    row.statistic().key(),
                    row.value(),
                    row.interval().low(),
                    row.interval().high(),
                    row.count(),
                    row.interval().isKnown() ? row.statistic().spread() : ""));
        }
        WholeFile.replace(file, text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Writes the points of every line of the figures, with seven digits. */
    static void writeCurves(Path file, Study study) {
        StringBuilder text = new StringBuilder("task,base,variant,label,quantity,axis,x,mean,standard_error,seeds\n");
        for (Group group : study.groups()) {
            for (Axis axis : Axis.values()) {
                append(text, group, "return", axis, group.returns(axis));
                append(text, group, "task_return", axis, group.taskReturns(axis));
            }
            append(text, group, "wce_ratio", Axis.ITERATIONS, group.errorRatio());
        }
        WholeFile.replace(file, text.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void append(StringBuilder text, Group group, String quantity, Axis axis, MeanCurve curve) {
        for (int i = 0; i < curve.x().length; i++) {
            text.append(Csv.line(
                    group.task(),
                    Study.baseName(group.base()),
                    Group.name(group.variant()),
                    group.label(),
                    quantity,
                    axis.column(),
                    curve.x()[i],
                    (float) curve.mean()[i],
                    (float) curve.error()[i],
                    curve.count()));
        }
    }
}
