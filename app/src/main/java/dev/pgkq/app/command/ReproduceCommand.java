package dev.pgkq.app.command;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.grid.Grid;
import dev.pgkq.app.grid.Grid.Cell;
import dev.pgkq.app.grid.GridRunner;
import dev.pgkq.app.grid.GridView;
import dev.pgkq.app.grid.NamedGrid;
import dev.pgkq.app.grid.SeedRange;
import dev.pgkq.app.grid.TimeEstimate;
import dev.pgkq.app.run.MetricsFile;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.study.Budget;
import dev.pgkq.app.study.GridFile;
import dev.pgkq.app.terminal.Shell;
import dev.pgkq.app.training.EnvironmentChoice;
import dev.pgkq.rewards.ledger.LedgerLocation;
import dev.pgkq.rewards.oracle.Evaluators;
import dev.pgkq.text.NearestNames;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.Base;
import dev.pgkq.train.Variant;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code pgkq reproduce}: trains a grid of tasks, algorithms and seeds. */
@Command(
        name = "reproduce",
        description = {
            "Trains a grid of tasks, algorithms and seeds. Each combination is a run in one folder.",
            "If it is stopped or killed, repeat the command: finished runs are kept, unfinished ones are resumed.",
            "At the end it writes the figures, statistics and report of 'pgkq plot'."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
public final class ReproduceCommand implements Callable<Integer> {
    private static final String VARIANTS = "--variants";

    /** The names of all variants. */
    static final class VariantNames extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        VariantNames() {
            super(Arrays.stream(Variant.values()).map(Variant::label).toList());
        }
    }

    /** Settings that differ between the runs of a grid, or that the grid sets itself. */
    private static final Set<Setting> OF_THE_GRID = EnumSet.of(
            Setting.ENV, Setting.ALGO, Setting.SEED, Setting.ITERATIONS, Setting.OUT, Setting.THREADS, Setting.MUJOCO);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = NamedGrid.OPTION,
            paramLabel = "quick|paper",
            defaultValue = "quick",
            description = {
                "which grid to train (default: ${DEFAULT-VALUE}); the options below override parts of it",
                "quick: InvertedDoublePendulum-v4, ppo, the paper's 4 variants, 2 seeds, 40 iterations",
                "paper: the paper's experiments with preset=paper: 4 tasks, vpg and ppo, 4 variants, 10 seeds,"
                        + " 500 iterations"
            })
    private String gridName = "";

    @Option(names = "--tasks", split = ",", paramLabel = "ID", description = "tasks; 'pgkq envs' lists them")
    private @Nullable List<String> tasks;

    @Option(names = "--bases", split = ",", paramLabel = "BASE", description = "vpg, ppo")
    private @Nullable List<String> bases;

    @Option(
            names = VARIANTS,
            split = ",",
            paramLabel = "NAME",
            completionCandidates = VariantNames.class,
            description = "${COMPLETION-CANDIDATES}")
    private @Nullable List<String> variants;

    @Option(
            names = "--seeds",
            paramLabel = "COUNT|FIRST-LAST",
            description = "seeds of each task and algorithm: how many (1, 2, …), or a range such as 11-15")
    private @Nullable String seeds;

    @Option(names = "--iterations", paramLabel = "COUNT", description = "iterations of every run")
    private @Nullable Integer iterations;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "a setting of 'pgkq train' for all runs; may be given several times")
    private List<String> settings = new ArrayList<>();

    @Mixin
    private PythonOptions python = new PythonOptions();

    @Option(
            names = "--jobs",
            paramLabel = "COUNT",
            defaultValue = "0",
            description = "runs at once, which share the cores (default: one per core)")
    private int jobs;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "runs/reproduce",
            description = "folder of the grid (default: ${DEFAULT-VALUE})")
    private Path out = Path.of("");

    @Option(
            names = Budget.OPTION,
            paramLabel = "EVALUATIONS",
            description = PlotCommand.BUDGET + " (default: " + Budget.USUAL + ")")
    private int evaluations = Budget.USUAL;

    @Option(names = "--debug", description = "show stack traces of errors")
    private boolean debug;

    @Override
    public Integer call() {
        Grid grid = grid();
        Budget budget = new Budget(evaluations);
        if (new RunDirectory(out).holdsRun()) {
            throw new UserException("--out " + out + " is a run directory: choose another folder for the grid");
        }
        List<Cell> cells = grid.cells(out);
        for (Cell cell : cells) {
            RunConfig.of(cell.settings()).trainSettings();
        }
        PrintWriter print = spec.commandLine().getOut();
        int cores = Runtime.getRuntime().availableProcessors();
        Map<Cell, Integer> missing = GridRunner.missing(cells, grid.iterations());
        print.println(cells.size()
                + (cells.size() == 1 ? " run of " : " runs of ")
                + grid.iterations()
                + (grid.iterations() == 1 ? " iteration in " : " iterations in ")
                + out
                + (missing.size() < cells.size() ? ", " + (cells.size() - missing.size()) + " finished already" : ""));
        print.flush();
        new GridFile(out).add(command(grid));
        ExitCode code = ExitCode.DONE;
        if (!missing.isEmpty()) {
            print.println("measuring the speed of this machine …");
            print.flush();
            print.println(TimeEstimate.of(missing, cores).text());
            print.flush();
            code = run(grid, cells, missing, cores, print);
        }
        if (code == ExitCode.STOPPED) {
            return code.code();
        }
        if (code == ExitCode.DONE || cells.stream().anyMatch(ReproduceCommand::hasMetrics)) {
            PlotCommand.report(List.of(out), out, List.of(), budget, "", spec);
        } else {
            spec.commandLine().getErr().println(nothingToReport(cells.size()));
        }
        return code.code();
    }

    private static boolean hasMetrics(Cell cell) {
        return MetricsFile.rows(cell.directory().metrics()) > 0;
    }

    private static String nothingToReport(int runs) {
        return "pgkq: " + (runs == 1 ? "the only run" : "all " + runs + " runs")
                + " failed before finishing an iteration, so there is nothing to report. Fix the errors listed above under"
                + " 'failed', then repeat the command";
    }

    private ExitCode run(Grid grid, List<Cell> cells, Map<Cell, Integer> missing, int cores, PrintWriter print) {
        GridRunner runner = new GridRunner(List.copyOf(missing.keySet()), jobs > 0 ? jobs : cores, cores);
        Map<Cell, String> failures;
        boolean stopped;
        try (GridView view = GridView.onStandardError(cells, missing, grid.iterations());
                StopRequest stop = StopRequest.onSignals(view::message, stoppable(runner))) {
            failures = runner.run(view, stop::requested);
            stop.awaitEndIfAtOnce();
            stopped = stop.requested();
        }
        failures.forEach((cell, reason) -> print.println("failed: " + cell.name() + ": " + reason));
        if (stopped) {
            print.println("stopped; repeat the command to continue");
        }
        print.flush();
        return stopped ? ExitCode.STOPPED : failures.isEmpty() ? ExitCode.DONE : ExitCode.INCOMPLETE;
    }

    private static StopRequest.Work stoppable(GridRunner runner) {
        return new StopRequest.Work() {
            @Override
            public int pendingRewards() {
                return runner.pendingRewards();
            }

            @Override
            public void abandon() {
                runner.abandon();
            }
        };
    }

    /** The grid that the options describe. */
    Grid grid() {
        NamedGrid base = NamedGrid.named(gridName);
        List<String> chosenTasks = tasks == null ? base.tasks() : tasks;
        List<Base> chosenBases = bases == null
                ? base.bases()
                : bases.stream()
                        .map(name -> named(
                                "--bases",
                                name,
                                Base.values(),
                                each -> each.name().toLowerCase(Locale.ROOT)))
                        .toList();
        List<Variant> chosenVariants = variants == null
                ? base.variants()
                : variants.stream()
                        .map(name -> named(VARIANTS, name, Variant.values(), Variant::label))
                        .toList();
        Map<Setting, Given> given = new EnumMap<>(Setting.class);
        base.settings().forEach(each -> assign(each, given, key -> NamedGrid.OPTION));
        settings().forEach(each -> assign(each, given, key -> "--set " + key));
        chosenTasks.forEach(task -> requireTask(task, given));
        requireInPaper(chosenVariants, given.get(Setting.PRESET));
        return new Grid(
                chosenTasks,
                chosenBases.stream()
                        .flatMap(algorithm -> chosenVariants.stream().map(variant -> new Algorithm(algorithm, variant)))
                        .toList(),
                seeds == null ? new SeedRange(1, base.seeds()) : SeedRange.parse(seeds),
                positive("--iterations", iterations == null ? base.iterations() : iterations),
                given);
    }

    /** The settings of all runs that were given, as KEY=VALUE. */
    private List<String> settings() {
        return Stream.concat(python.assignments().stream(), settings.stream()).toList();
    }

    /** Refuses names of tasks that do not exist, and settings that a task does not have. Python is not started. */
    private static void requireTask(String task, Map<Setting, Given> settings) {
        Map<Setting, Given> given = new EnumMap<>(settings);
        given.put(Setting.ENV, new Given(task, "--tasks"));
        EnvironmentChoice.task(RunConfig.of(given));
    }

    /** The paper has no formulas for a variant that is not in it. */
    private static void requireInPaper(List<Variant> variants, @Nullable Given preset) {
        if (preset == null || !preset.text().strip().equalsIgnoreCase("paper")) {
            return;
        }
        variants.stream().filter(Variant::isOurs).findFirst().ifPresent(variant -> {
            String option = preset.origin().equals(NamedGrid.OPTION) ? "--grid paper" : "--set preset=paper";
            throw new UserException(option + " cannot be combined with the variant " + variant.label()
                    + ", which is not in the paper: leave it out of " + VARIANTS + ", or leave out " + option);
        });
    }

    private static int positive(String option, int value) {
        if (value < 1) {
            throw new UserException(option + " needs a whole number of at least 1, got '" + value + "'");
        }
        return value;
    }

    private static <T> T named(String option, String name, T[] values, Function<T, String> label) {
        List<String> labels = Arrays.stream(values).map(label).toList();
        int at = labels.indexOf(name.strip());
        if (at < 0) {
            throw new UserException(option + ": unknown name '" + name + "'" + NearestNames.hint(name, labels));
        }
        return values[at];
    }

    /** Adds a KEY=VALUE to the settings; it replaces an earlier value. */
    private static void assign(String assignment, Map<Setting, Given> given, UnaryOperator<String> origin) {
        String[] parts = assignment.split("=", 2);
        Setting setting = Setting.named(parts[0])
                .orElseThrow(() -> new UserException(
                        "--set: unknown setting '" + parts[0] + "'" + NearestNames.hint(parts[0], Setting.keys())));
        if (OF_THE_GRID.contains(setting)) {
            throw new UserException("--set " + parts[0] + " is set by the grid: use --tasks, --bases, --variants,"
                    + " --seeds, --iterations, --jobs or --out");
        }
        if (parts.length < 2) {
            throw new UserException("--set needs KEY=VALUE, got '" + assignment + "'");
        }
        given.put(setting, new Given(parts[1], origin.apply(parts[0])));
    }

    /** Every KEY=VALUE that applies to all runs: those of the named grid that are not overridden, and those given. */
    private List<String> assignments() {
        Set<String> overridden = settings().stream().map(ReproduceCommand::key).collect(Collectors.toSet());
        return Stream.concat(
                        NamedGrid.named(gridName).settings().stream().filter(each -> !overridden.contains(key(each))),
                        settings().stream())
                .toList();
    }

    private static String key(String assignment) {
        return assignment.split("=", 2)[0];
    }

    /** The command that trains this grid, with everything that the name of the grid stands for. */
    private String command(Grid grid) {
        List<String> words = new ArrayList<>(List.of(TrainCommand.COMMAND, "reproduce"));
        words.addAll(List.of("--tasks", String.join(",", grid.tasks())));
        words.addAll(List.of("--bases", listed(grid, each -> each.base().name().toLowerCase(Locale.ROOT))));
        words.addAll(List.of("--variants", listed(grid, each -> each.variant().label())));
        words.addAll(List.of("--seeds", grid.seeds().toString()));
        words.addAll(List.of("--iterations", Integer.toString(grid.iterations())));
        assignments().forEach(each -> words.addAll(List.of("--set", withoutSecrets(each))));
        if (evaluations != Budget.USUAL) {
            words.addAll(List.of(Budget.OPTION, Integer.toString(evaluations)));
        }
        words.addAll(List.of("--out", out.toString()));
        return Shell.command(words);
    }

    /** The command appears in reports, which others read. */
    private static String withoutSecrets(String assignment) {
        String value = assignment.substring(assignment.indexOf('=') + 1);
        if (key(assignment).equals(Setting.LEDGER.key())
                && LedgerLocation.parse(value) instanceof LedgerLocation.OnServer server) {
            return "ledger=" + server.shown();
        }
        return key(assignment).equals(Setting.REWARD.key()) ? "reward=" + Evaluators.shown(value) : assignment;
    }

    private static String listed(Grid grid, Function<Algorithm, String> part) {
        return grid.algorithms().stream().map(part).distinct().collect(Collectors.joining(","));
    }
}
