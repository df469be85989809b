package dev.pgkq.app.report;

import dev.pgkq.app.plot.Drawing;
import dev.pgkq.app.plot.DrawingFiles;
import dev.pgkq.app.study.Axis;
import dev.pgkq.app.study.Budget;
import dev.pgkq.app.study.Comparison;
import dev.pgkq.app.study.ReturnThresholds;
import dev.pgkq.app.study.Study;
import dev.pgkq.app.study.Summary;
import dev.pgkq.app.study.SummaryBuilder;
import dev.pgkq.rewards.files.WholeFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The report of a study.
 *
 * @param title title of the page
 * @param commands the commands that repeat the study
 */
public record Report(String title, Study study, ReturnThresholds thresholds, Budget budget, List<String> commands) {
    /** Receives the name of each figure before it is drawn. */
    @FunctionalInterface
    public interface Progress {
        void drawing(String name, int number, int total);
    }

    public static Report of(String title, Study study, ReturnThresholds thresholds, Budget budget) {
        return new Report(title, study, thresholds, budget, RepeatCommands.commands(study));
    }

    /** Writes figures, data files and page into a folder. */
    public void write(Path folder, Progress progress) {
        Summary summary = SummaryBuilder.build(study, thresholds, budget);
        DataFiles.writeSummary(folder.resolve("summary.csv"), summary);
        DataFiles.writeCurves(folder.resolve("curves.csv"), study);
        Map<String, String> pictures = new LinkedHashMap<>();
        StudyFigures figures = StudyFigures.of(study);
        List<Drawing> drawings = drawings(figures, summary);
        for (Drawing drawing : drawings) {
            progress.drawing(drawing.name(), pictures.size() + 1, drawings.size());
            pictures.put(drawing.name(), DrawingFiles.write(folder.resolve("figures"), drawing));
        }
        Tables tables = new Tables(study, summary, thresholds, figures.styles());
        BudgetSection budgetSection = new BudgetSection(study, summary, budget, figures.styles());
        String page = new ReportPage(title, figures, summary, tables, budgetSection, commands, pictures).html();
        WholeFile.replace(folder.resolve("report.html"), page.getBytes(StandardCharsets.UTF_8));
    }

    private List<Drawing> drawings(StudyFigures figures, Summary summary) {
        List<Drawing> drawings = new ArrayList<>();
        figures.overall(summary).ifPresent(drawings::add);
        if (study.comparisons().size() > 1) {
            Arrays.stream(Axis.values()).map(figures::panel).forEach(drawings::add);
        }
        for (Comparison comparison : study.comparisons()) {
            for (Axis axis : Axis.values()) {
                drawings.add(Drawing.of(figures.returns(comparison, axis)));
            }
            figures.taskReturns(comparison).map(Drawing::of).ifPresent(drawings::add);
            figures.errorRatio(comparison).map(Drawing::of).ifPresent(drawings::add);
        }
        return drawings;
    }
}
