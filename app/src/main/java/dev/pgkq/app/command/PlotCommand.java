package dev.pgkq.app.command;

import dev.pgkq.app.report.Report;
import dev.pgkq.app.run.RunHistory;
import dev.pgkq.app.study.Budget;
import dev.pgkq.app.study.RunFinder;
import dev.pgkq.app.study.Study;
import dev.pgkq.app.study.Thresholds;
import dev.pgkq.app.terminal.PatientProgress;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pgkq plot DIR…}: figures, tables and a report of all runs under some folders. */
@Command(
        name = "plot",
        description = "Compares all runs under some folders: figures, statistics and a report to read.",
        mixinStandardHelpOptions = true)
public final class PlotCommand implements Callable<Integer> {
    /** What the option for the budget is for. */
    static final String BUDGET = "rewards that can be paid for: the report tells what comes of so many";

    /** Of each kind, on the screen. */
    private static final int MOST_NAMED = 8;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "DIR", arity = "1..*", description = "folders with run directories, at any depth")
    private List<Path> folders = new ArrayList<>();

    @Option(names = "--out", paramLabel = "DIR", description = "where to write (default: the first DIR)")
    private Path out = Path.of("");

    @Option(
            names = "--threshold",
            paramLabel = "TASK=VALUE",
            description =
                    "return to be reached on a task (default: half-way between the small batch's first and the large"
                            + " batch's best mean return); may be given several times")
    private List<String> thresholds = new ArrayList<>();

    @Option(
            names = Budget.OPTION,
            paramLabel = "EVALUATIONS",
            description = BUDGET + " (default: " + Budget.USUAL + ")")
    private int budget = Budget.USUAL;

    @Option(names = "--title", paramLabel = "TEXT", description = "title of the report")
    private String title = "";

    private static String counted(long count, String thing) {
        return count + " " + thing + (count == 1 ? "" : "s");
    }

    @Override
    public Integer call() {
        Path target = out.toString().isEmpty() ? folders.getFirst() : out;
        report(folders, target, thresholds, new Budget(budget), title, spec);
        return ExitCode.DONE.code();
    }

    private static void name(PrintWriter told, List<String> lines) {
        lines.stream().limit(MOST_NAMED).forEach(line -> told.println("  " + line));
        if (lines.size() > MOST_NAMED) {
            told.println("  … and " + (lines.size() - MOST_NAMED) + " more, which the report names");
        }
    }

    /** Writes the report of all runs under some folders, and says where it is. */
    static void report(
            List<Path> folders, Path target, List<String> thresholds, Budget budget, String title, CommandSpec spec) {
        PrintWriter told = spec.commandLine().getOut();
        PatientProgress progress = new PatientProgress(spec.commandLine().getErr());
        Study study = Study.of(RunFinder.find(folders, name -> progress.at("reading " + name)));
        progress.at("computing the statistics of " + study.runs().size() + " runs");
        Report report = Report.of(
                title.isEmpty() ? "Policy gradients on " + String.join(", ", study.tasks()) : title,
                study,
                Thresholds.of(thresholds, study),
                budget);
        report.write(
                target,
                (name, number, total) -> progress.at("drawing figure " + number + " of " + total + ", " + name));
        told.println(counted(study.runs().size(), "run") + " in "
                + counted(study.groups().size(), "group")
                + (study.leftOut().isEmpty()
                        ? ""
                        : ", " + counted(study.leftOut().size(), "run") + " left out")
                + (study.missing().isEmpty() ? "" : ", " + study.missing().size() + " missing"));
        name(
                told,
                study.leftOut().stream()
                        .map(run -> "left out: " + run.run() + ", " + run.why())
                        .toList());
        name(
                told,
                study.runs().stream()
                        .filter(run -> run.story().state() != RunHistory.State.FINISHED)
                        .map(run -> "unfinished: " + run.name() + ", " + run.iterations() + " of "
                                + counted(run.planned(), "iteration") + ", "
                                + run.story().words())
                        .toList());
        name(told, study.missing().stream().map(what -> "missing: " + what).toList());
        told.println("  report   " + target.resolve("report.html"));
        told.println("  figures  " + target.resolve("figures"));
        told.println("  numbers  " + target.resolve("summary.csv") + ", " + target.resolve("curves.csv"));
        told.flush();
    }
}
