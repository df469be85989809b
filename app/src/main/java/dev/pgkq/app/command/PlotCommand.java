package dev.pgkq.app.command;

import dev.pgkq.app.report.Report;
import dev.pgkq.app.run.RunHistory;
import dev.pgkq.app.study.Budget;
import dev.pgkq.app.study.ReturnThresholds;
import dev.pgkq.app.study.RunFinder;
import dev.pgkq.app.study.Study;
import dev.pgkq.app.terminal.DelayedProgress;
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

/** {@code pgkq plot DIR…}: figures, tables and a report of all runs in some folders. */
@Command(
        name = "plot",
        description = "Compares all runs in some folders: figures, statistics and a report.",
        mixinStandardHelpOptions = true)
public final class PlotCommand implements Callable<Integer> {
    /** Description of the option for the budget. */
    static final String BUDGET = "reward evaluations that can be paid for: the report compares returns at this number";

    /** How many runs of each kind are named on the screen. */
    private static final int MOST_NAMED = 8;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "DIR", arity = "1..*", description = "folders with run directories, at any depth")
    private List<Path> folders = new ArrayList<>();

    @Option(names = "--out", paramLabel = "DIR", description = "output folder (default: the first DIR)")
    private Path out = Path.of("");

    @Option(
            names = "--threshold",
            paramLabel = "TASK=VALUE",
            description =
                    "return to reach on a task (default: half-way between the first mean return of the small batch and the"
                            + " best one of the large batch); may be given several times")
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

    private static void name(PrintWriter out, List<String> lines) {
        lines.stream().limit(MOST_NAMED).forEach(line -> out.println("  " + line));
        if (lines.size() > MOST_NAMED) {
            out.println("  … and " + (lines.size() - MOST_NAMED) + " more, listed in the report");
        }
    }

    /** Writes the report of all runs in some folders, and prints where it is. */
    static void report(
            List<Path> folders, Path target, List<String> thresholds, Budget budget, String title, CommandSpec spec) {
        PrintWriter out = spec.commandLine().getOut();
        DelayedProgress progress = new DelayedProgress(spec.commandLine().getErr());
        Study study = Study.of(RunFinder.find(folders, name -> progress.at("reading " + name)));
        progress.at("computing the statistics of " + study.runs().size() + " runs");
        Report report = Report.of(
                title.isEmpty() ? "Policy gradients on " + String.join(", ", study.tasks()) : title,
                study,
                ReturnThresholds.of(thresholds, study),
                budget);
        report.write(
                target,
                (name, number, total) -> progress.at("drawing figure " + number + " of " + total + ", " + name));
        out.println(counted(study.runs().size(), "run") + " in "
                + counted(study.groups().size(), "group")
                + (study.excluded().isEmpty()
                        ? ""
                        : ", " + counted(study.excluded().size(), "run") + " left out")
                + (study.missing().isEmpty() ? "" : ", " + study.missing().size() + " missing"));
        name(
                out,
                study.excluded().stream()
                        .map(run -> "left out: " + run.run() + ", " + run.reason())
                        .toList());
        name(
                out,
                study.runs().stream()
                        .filter(run -> run.history().state() != RunHistory.State.FINISHED)
                        .map(run -> "unfinished: " + run.name() + ", " + run.iterations() + " of "
                                + counted(run.planned(), "iteration") + ", "
                                + run.history().words())
                        .toList());
        name(out, study.missing().stream().map(what -> "missing: " + what).toList());
        out.println("  report   " + target.resolve("report.html"));
        out.println("  figures  " + target.resolve("figures"));
        out.println("  numbers  " + target.resolve("summary.csv") + ", " + target.resolve("curves.csv"));
        out.flush();
    }
}
