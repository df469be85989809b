package dev.pgkq.app.command;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.grid.Grid;
import dev.pgkq.app.grid.Grid.Cell;
import dev.pgkq.app.grid.GridRunner;
import dev.pgkq.app.grid.GridView;
import dev.pgkq.app.grid.TimeEstimate;
import dev.pgkq.app.run.MetricsFile;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.study.Budget;
import dev.pgkq.app.study.GridFile;
import dev.pgkq.app.terminal.Shell;
import dev.pgkq.env.Tasks;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code pgkq reproduce}: tasks × algorithms × seeds, every combination a run. */
@Command(
        name = "reproduce",
        description = {
            "Trains a grid of tasks, algorithms and seeds, each combination an ordinary run under one folder.",
            "Stopped or killed, the same command goes on: finished runs are kept, half-done ones resume.",
            "Ends with the figures, statistics and report of 'pgkq plot'."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
public final class ReproduceCommand implements Callable<Integer> {
    /** The grids that have a name. */
    enum Preset {
        QUICK(List.of("InvertedDoublePendulum-v4"), List.of("ppo"), PAPER_VARIANTS, 2, 40),
        OVERNIGHT(List.of("InvertedDoublePendulum-v4", "Hopper-v4"), List.of("vpg", "ppo"), ALL_VARIANTS, 3, 150),
        PAPER(
                List.of("InvertedDoublePendulum-v4", "Hopper-v4", "HalfCheetah-v4", "Walker2d-v4"),
                List.of("vpg", "ppo"),
                ALL_VARIANTS,
                10,
                500);

        private final List<String> tasks;
        private final List<String> bases;
        private final List<String> variants;
        private final int seeds;
        private final int iterations;

        Preset(List<String> tasks, List<String> bases, List<String> variants, int seeds, int iterations) {
            this.tasks = tasks;
            this.bases = bases;
            this.variants = variants;
            this.seeds = seeds;
            this.iterations = iterations;
        }
    }

    /** What the grid gives each run. */
    private static final Set<Setting> OF_THE_GRID = EnumSet.of(
            Setting.ENV, Setting.ALGO, Setting.SEED, Setting.ITERATIONS, Setting.OUT, Setting.THREADS, Setting.MUJOCO);

    private static final List<String> PAPER_VARIANTS = List.of("small", "kq", "kq-no-mean", "large");
    private static final List<String> ALL_VARIANTS =
            Arrays.stream(Variant.values()).map(Variant::label).toList();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--preset",
            paramLabel = "quick|overnight|paper",
            defaultValue = "quick",
            description = "what to run where nothing else is said: minutes, a night, or all of the paper with controls"
                    + " (default: quick)")
    private String preset = "";

    @Option(names = "--tasks", split = ",", paramLabel = "ID", description = "tasks; 'pgkq envs' lists them")
    private @Nullable List<String> tasks;

    @Option(names = "--bases", split = ",", paramLabel = "BASE", description = "vpg, ppo")
    private @Nullable List<String> bases;

    @Option(
            names = "--variants",
            split = ",",
            paramLabel = "NAME",
            description = "small, large, kq, kq-no-mean, kq-plus, random, random-mean, impute, model-only")
    private @Nullable List<String> variants;

    @Option(names = "--seeds", paramLabel = "COUNT", description = "runs of each, with seeds 1, 2, …")
    private @Nullable Integer seeds;

    @Option(names = "--iterations", paramLabel = "COUNT", description = "of every run")
    private @Nullable Integer iterations;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "a setting of 'pgkq train' for all runs; may be given several times")
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--jobs",
            paramLabel = "COUNT",
            defaultValue = "0",
            description = "runs at once; cores are shared out among them (default: one a core)")
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
            throw new UserException("--out " + out + " holds a run: give a folder of its own to the grid");
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
            print.println("measuring how fast this machine is…");
            print.flush();
            print.println(TimeEstimate.of(missing, cores).text());
            print.flush();
            code = run(grid, cells, missing, cores, print);
        }
        if (code == ExitCode.STOPPED) {
            return code.code();
        }
        if (code == ExitCode.DONE || cells.stream().anyMatch(ReproduceCommand::hasSomethingToShow)) {
            PlotCommand.report(List.of(out), out, List.of(), budget, "", spec);
        } else {
            spec.commandLine().getErr().println(nothingToShow(cells.size()));
        }
        return code.code();
    }

    private static boolean hasSomethingToShow(Cell cell) {
        return MetricsFile.rows(cell.directory().metrics()) > 0;
    }

    private static String nothingToShow(int runs) {
        return "pgkq: " + (runs == 1 ? "the only run" : "all " + runs + " runs")
                + " failed before a first iteration was done, so there is nothing to report. Put right what is named above"
                + " under 'failed', then give the same command again";
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
        failures.forEach((cell, why) -> print.println("failed: " + cell.name() + ": " + why));
        if (stopped) {
            print.println("stopped; the same command goes on");
        }
        print.flush();
        return stopped ? ExitCode.STOPPED : failures.isEmpty() ? ExitCode.DONE : ExitCode.INCOMPLETE;
    }

    private static StopRequest.Work stoppable(GridRunner runner) {
        return new StopRequest.Work() {
            @Override
            public int rewardsOut() {
                return runner.rewardsOut();
            }

            @Override
            public void abandon() {
                runner.abandon();
            }
        };
    }

    private Grid grid() {
        Preset base = Arrays.stream(Preset.values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(preset))
                .findFirst()
                .orElseThrow(() -> new UserException("--preset needs one of quick, overnight, paper, got '" + preset
                        + "'" + NearestNames.hint(preset, List.of("quick", "overnight", "paper"))));
        List<String> chosenTasks = tasks == null ? base.tasks : tasks;
        chosenTasks.forEach(Tasks::named);
        return new Grid(
                chosenTasks,
                algorithms(bases == null ? base.bases : bases, variants == null ? base.variants : variants),
                positive("--seeds", seeds == null ? base.seeds : seeds),
                positive("--iterations", iterations == null ? base.iterations : iterations),
                given());
    }

    private static int positive(String option, int value) {
        if (value < 1) {
            throw new UserException(option + " needs a whole number of at least 1, got '" + value + "'");
        }
        return value;
    }

    private static List<Algorithm> algorithms(List<String> bases, List<String> variants) {
        List<Algorithm> algorithms = new ArrayList<>();
        for (String base : bases) {
            for (String variant : variants) {
                algorithms.add(new Algorithm(
                        named(
                                "--bases",
                                base,
                                Arrays.asList(Base.values()),
                                each -> each.name().toLowerCase(Locale.ROOT)),
                        named("--variants", variant, Arrays.asList(Variant.values()), Variant::label)));
            }
        }
        return algorithms;
    }

    private static <T> T named(String option, String name, List<T> values, Function<T, String> label) {
        List<String> labels = values.stream().map(label).toList();
        int at = labels.indexOf(name.strip());
        if (at < 0) {
            throw new UserException(option + " knows no '" + name + "'" + NearestNames.hint(name, labels));
        }
        return values.get(at);
    }

    private Map<Setting, Given> given() {
        Map<Setting, Given> given = new EnumMap<>(Setting.class);
        for (String each : settings) {
            String[] parts = each.split("=", 2);
            Setting setting = Setting.named(parts[0])
                    .orElseThrow(() -> new UserException(
                            "--set knows no '" + parts[0] + "'" + NearestNames.hint(parts[0], Setting.keys())));
            if (OF_THE_GRID.contains(setting)) {
                throw new UserException(
                        "--set " + parts[0] + " is for the grid to say: use --tasks, --bases, --variants,"
                                + " --seeds, --iterations, --jobs or --out");
            }
            if (parts.length < 2) {
                throw new UserException("--set needs KEY=VALUE, got '" + each + "'");
            }
            given.put(setting, new Given(parts[1], "--set " + parts[0]));
        }
        return given;
    }

    /** The command that makes this grid, with what the preset stands for. */
    private String command(Grid grid) {
        List<String> words = new ArrayList<>(List.of(TrainCommand.COMMAND, "reproduce"));
        words.addAll(List.of("--tasks", String.join(",", grid.tasks())));
        words.addAll(List.of("--bases", listed(grid, each -> each.base().name().toLowerCase(Locale.ROOT))));
        words.addAll(List.of("--variants", listed(grid, each -> each.variant().label())));
        words.addAll(List.of("--seeds", Integer.toString(grid.seeds())));
        words.addAll(List.of("--iterations", Integer.toString(grid.iterations())));
        settings.forEach(each -> words.addAll(List.of("--set", each)));
        if (evaluations != Budget.USUAL) {
            words.addAll(List.of(Budget.OPTION, Integer.toString(evaluations)));
        }
        words.addAll(List.of("--out", out.toString()));
        return Shell.command(words);
    }

    private static String listed(Grid grid, Function<Algorithm, String> part) {
        return grid.algorithms().stream().map(part).distinct().collect(Collectors.joining(","));
    }
}
