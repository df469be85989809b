package dev.pgkq.app.command;

import dev.pgkq.app.config.ConfigFile;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.config.SettingOptions;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.terminal.IterationView;
import dev.pgkq.app.terminal.ProgressView;
import dev.pgkq.app.terminal.Shell;
import dev.pgkq.app.training.ResumeSettings;
import dev.pgkq.app.training.RewardOptions;
import dev.pgkq.app.training.TrainingRun;
import dev.pgkq.app.training.TrainingRun.Outcome;
import dev.pgkq.app.web.Dashboard;
import dev.pgkq.rewards.ledger.Paid;
import dev.pgkq.text.Durations;
import dev.pgkq.text.Numbers;
import dev.pgkq.text.UserException;
import dev.pgkq.train.IterationReport;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.Variant;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;

/** {@code pgkq train}: reads the settings, chooses the run directory and trains. */
public final class TrainCommand implements Callable<Integer> {
    /** How this tool was called, for the commands that it suggests. */
    static final String COMMAND = System.getProperty("pgkq.command", "pgkq");

    static final String CONFIG = "--config";
    static final String RESUME = "--resume";
    static final String DASHBOARD = "--dashboard";
    static final String DASHBOARD_PORT = "--dashboard-port";
    static final String DEBUG = "--debug";
    static final String HELP_ALL = "--help-all";

    private CommandSpec spec = CommandSpec.create();

    private TrainCommand() {}

    /** The command with an option for every setting. */
    public static CommandSpec spec() {
        TrainCommand command = new TrainCommand();
        CommandSpec spec = CommandSpec.wrapWithoutInspection(command).name("train");
        spec.usageMessage()
                .description("Trains a policy.", "Every setting is also a key of the YAML file given with --config.")
                .abbreviateSynopsis(true)
                .footer(algorithms());
        spec.usageMessage().sectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, new TrainHelp(false));
        SettingOptions.addTo(spec);
        spec.addOption(OptionSpec.builder(CONFIG)
                .type(Path.class)
                .paramLabel("FILE")
                .description("YAML file with settings; options of the command line override it")
                .build());
        spec.addOption(OptionSpec.builder(RESUME)
                .type(boolean.class)
                .description("resume the run in --out where it stopped")
                .build());
        spec.addOption(OptionSpec.builder(DASHBOARD)
                .type(boolean.class)
                .arity("0..1")
                .fallbackValue("true")
                .paramLabel("true|false")
                .description(
                        "show the run in a browser; 'pgkq serve' does so at any time (default: false; --reward human: true)")
                .build());
        spec.addOption(OptionSpec.builder(DASHBOARD_PORT)
                .type(int.class)
                .paramLabel("PORT")
                .description(
                        "port of the dashboard (default: " + Dashboard.Settings.USUAL_PORT + ", or the next free one)")
                .build());
        spec.addOption(OptionSpec.builder(DEBUG)
                .type(boolean.class)
                .description("print the stack trace of an error")
                .build());
        spec.addOption(OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("show the most important settings")
                .build());
        spec.addOption(OptionSpec.builder(HELP_ALL)
                .type(boolean.class)
                .description("show all settings")
                .build());
        spec.addOption(OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .description("show the version")
                .build());
        command.spec = spec;
        return spec;
    }

    private static String[] algorithms() {
        List<String> lines = new ArrayList<>(
                List.of("", "Algorithms (each also with vpg instead of ppo; N is --batch, n is --select):"));
        for (Variant variant : Variant.values()) {
            lines.add(String.format(Locale.ROOT, "  ppo%-13s %s", variant.suffix(), variant.summary()));
        }
        return lines.toArray(String[]::new);
    }

    @Override
    public Integer call() {
        CommandLine line = spec.commandLine();
        ParseResult parsed = line.getParseResult();
        if (parsed.hasMatchedOption(HELP_ALL)) {
            line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, new TrainHelp(true));
            line.usage(line.getOut());
            return ExitCode.DONE.code();
        }
        Map<Setting, Given> fromLine = SettingOptions.given(parsed);
        Path file = parsed.matchedOptionValue(CONFIG, Path.of(""));
        Map<Setting, Given> fromFile = file.toString().isEmpty() ? Map.of() : ConfigFile.readNamed(file);
        boolean resume = parsed.matchedOptionValue(RESUME, false);
        RunConfig asked = RunConfig.of(fromFile, fromLine);
        Job job = resume ? resumed(asked, fromFile, fromLine) : fresh(asked);
        if (job.config.has(Setting.MUJOCO)) {
            System.setProperty("pgkq.mujoco", job.config.text(Setting.MUJOCO));
        }
        TrainingRun run = new TrainingRun(job.directory, resume, job.config);
        try (ProgressView view = ProgressView.onStandardError();
                StopRequest stop = StopRequest.onSignals(view::message, stoppable(run, job, view));
                RunDashboard dashboard = RunDashboard.of(parsed, job)) {
            dashboard.announce(view);
            Outcome outcome;
            try {
                outcome = run.run(job.budgeted(dashboard.invited(view)), stop::requested);
            } catch (RuntimeException e) {
                stop.awaitEndIfAtOnce();
                throw run.hasBegun() ? stopped(e, job, resume) : e;
            }
            view.finish();
            report(job, outcome, line.getOut());
            return (outcome.endedAsPlanned() ? ExitCode.DONE : ExitCode.STOPPED).code();
        }
    }

    /** The error with the command that continues the run, if there is one. */
    private static RuntimeException stopped(RuntimeException error, Job job, boolean resumed) {
        if (!(error instanceof UserException fixable)) {
            return error;
        }
        return RewardOptions.toContinue(fixable)
                .<RuntimeException>map(options -> {
                    List<String> words = new ArrayList<>(job.resume());
                    words.addAll(resumed ? job.limitsOnCommandLine() : List.of());
                    words.addAll(options);
                    return new StoppedRunException(fixable, Shell.command(words));
                })
                .orElse(error);
    }

    private static StopRequest.Work stoppable(TrainingRun run, Job job, ProgressView view) {
        return new StopRequest.Work() {
            @Override
            public String waiting(int out) {
                return job.asksPeople()
                        ? "waiting until " + episodes(out) + " rated, then saving; Ctrl-C once more stops at once:"
                                + " ratings are kept, and the others are requested again"
                        : StopRequest.Work.super.waiting(out);
            }

            @Override
            public String leaving(int out) {
                return job.asksPeople()
                        ? "What was rated is kept, and --resume asks for the rest again"
                        : StopRequest.Work.super.leaving(out);
            }

            @Override
            public String resume() {
                return job.directory.holdsRun() ? Shell.command(job.resume()) : "";
            }

            @Override
            public int pendingRewards() {
                return run.pendingRewards();
            }

            @Override
            public void abandon() {
                run.abandon();
                view.finish();
            }
        };
    }

    private static String episodes(int count) {
        return count == 1
                ? "the episode that people were asked for is"
                : "the " + count + " episodes that people were asked for are";
    }

    /** The dashboard of this run, if it was requested or people rate. */
    private record RunDashboard(Optional<Dashboard> dashboard, Job job) implements AutoCloseable {
        static RunDashboard of(ParseResult parsed, Job job) {
            Dashboard.Settings settings = Dashboard.Settings.of(job.directory.path());
            if (job.config.has(Setting.LEDGER)) {
                settings = settings.withLedgers(List.of(job.config.text(Setting.LEDGER)));
            }
            if (parsed.hasMatchedOption(DASHBOARD_PORT)) {
                int port = parsed.matchedOptionValue(DASHBOARD_PORT, Dashboard.Settings.USUAL_PORT);
                ServeCommand.requirePort(DASHBOARD_PORT, port);
                return new RunDashboard(Optional.of(Dashboard.start(settings.withPort(port))), job);
            }
            boolean wanted = parsed.matchedOptionValue(DASHBOARD, job.asksPeople());
            return new RunDashboard(wanted ? Optional.of(Dashboard.start(settings)) : Optional.empty(), job);
        }

        void announce(ProgressView view) {
            dashboard.ifPresent(shown -> view.message("dashboard: " + shown.address()));
            if (job.asksPeople() && dashboard.isEmpty()) {
                view.message("to rate episodes in a browser, run: " + COMMAND + " serve "
                        + Shell.quoted(job.directory.path().toString()));
            }
        }

        /** A view that tells raters where to go while the run waits for them. */
        ProgressView invited(ProgressView view) {
            return job.asksPeople() && dashboard.isPresent()
                    ? new Invitation(view, dashboard.get().address() + "rate.html")
                    : view;
        }

        @Override
        public void close() {
            dashboard.ifPresent(Dashboard::close);
        }
    }

    /** Shows with every iteration what is left of the budget. */
    private record Budgeted(ProgressView view, UnaryOperator<IterationView> within) implements ProgressView {
        @Override
        public void show(IterationView iteration) {
            view.show(within.apply(iteration));
        }

        @Override
        public void message(String line) {
            view.message(line);
        }

        @Override
        public void waiting(IntFunction<String> line) {
            view.waiting(line);
        }

        @Override
        public void finish() {
            view.finish();
        }
    }

    /** Puts the address for raters first: the end of a long line may be cut off. */
    private record Invitation(ProgressView view, String address) implements ProgressView {
        @Override
        public void show(IterationView iteration) {
            view.show(iteration);
        }

        @Override
        public void message(String line) {
            view.message(line);
        }

        @Override
        public void waiting(IntFunction<String> line) {
            String place = "rate at " + address + " – ";
            view.waiting(columns -> place + line.apply(columns - place.length()));
        }

        @Override
        public void finish() {
            view.finish();
        }
    }

    private static void report(Job job, Outcome outcome, PrintWriter out) {
        RunDirectory directory = job.directory;
        IterationReport last = outcome.last();
        Map<String, String> lines = new LinkedHashMap<>();
        boolean spentAll = !outcome.largerBudget().isEmpty();
        Optional<RunSpending> spent =
                outcome.iteration() > 0 || spentAll ? RunSpending.of(directory, job.config) : Optional.empty();
        if (last == null) {
            out.println(
                    outcome.complete()
                            ? "already at iteration " + outcome.iteration() + "; a larger --iterations continues"
                            : spentAll
                                    ? "the budget is used up, and no iteration was run; the run is still at iteration "
                                            + outcome.iteration() + " of " + outcome.iterations()
                                    : "stopped before an iteration was complete");
        } else {
            out.println((outcome.complete() ? "finished" : spentAll ? "stopped at its budget" : "stopped")
                    + " after iteration " + last.iteration() + " of " + outcome.iterations() + " (" + outcome.done()
                    + " in " + Durations.format(outcome.time()) + ")");
            String own = Numbers.brief(last.returnMean()) + " ± " + Numbers.brief(last.returnSe());
            lines.put(
                    "return",
                    job.config.reward().isPresent()
                            ? own
                            : Numbers.brief(last.paidReturn()) + " by the rewards paid for"
                                    + (job.config.hasTaskReward() ? ", " + own + " by the task's own" : ""));
            lines.put("spent", spent(job, last, spent));
        }
        if (outcome.iteration() > 0) {
            lines.put("metrics", directory.metrics().toString());
            lines.put("curve", outcome.curve());
        }
        if (outcome.complete()) {
            lines.put(
                    "evaluate",
                    Shell.command(List.of(COMMAND, "evaluate", directory.path().toString())));
        } else {
            List<String> words = new ArrayList<>(job.resume());
            if (spentAll) {
                int left = outcome.iterations() - outcome.iteration();
                words.addAll(spent.map(so -> so.atMost(outcome.largerBudget(), left, job.config))
                        .orElse(outcome.largerBudget()));
            }
            lines.put("resume", Shell.command(words));
        }
        lines.forEach((what, text) -> out.printf(Locale.ROOT, "  %-9s %s%n", what, text));
        out.flush();
    }

    /** Rewards that the ledger knew already, from this run or others that share it, were not paid for again. */
    private static String spent(Job job, IterationReport last, Optional<RunSpending> spent) {
        String steps = String.format(Locale.ROOT, "%,d steps", last.steps());
        if (job.config.reward().isPresent() || spent.isEmpty()) {
            return String.format(Locale.ROOT, "%,d reward evaluations, %s", last.rewardEvaluations(), steps);
        }
        Paid answers = spent.get().spent().answers();
        Paid unanswered = spent.get().spent().unanswered();
        long reused = Math.max(0, last.rewardEvaluations() - answers.evaluations());
        return String.format(
                Locale.ROOT,
                "%,d reward evaluations%s%s%s, %s",
                answers.evaluations(),
                cost(answers),
                reused > 0 ? String.format(Locale.ROOT, " (plus %,d reused from the ledger)", reused) : "",
                unanswered.evaluations() > 0
                        ? String.format(
                                Locale.ROOT,
                                ", %,d %s without an answer%s",
                                unanswered.evaluations(),
                                unanswered.evaluations() == 1 ? "call" : "calls",
                                cost(unanswered))
                        : "",
                steps);
    }

    private static String cost(Paid paid) {
        return paid.cost().signum() > 0 ? ", cost " + Numbers.brief(paid.cost().doubleValue()) : "";
    }

    private record Job(RunDirectory directory, RunConfig config) {
        List<String> resume() {
            List<String> words = new ArrayList<>(List.of(
                    COMMAND, "train", "--resume", "--out", directory.path().toString()));
            config.computedOn().forEach((key, value) -> words.addAll(List.of("--" + key, value)));
            return words;
        }

        /** The run has saved them, but they look lost if they are not repeated. */
        List<String> limitsOnCommandLine() {
            List<String> words = new ArrayList<>();
            for (Setting setting : List.of(Setting.MAX_EVALUATIONS, Setting.MAX_COST)) {
                if (config.isOnCommandLine(setting)) {
                    words.addAll(List.of("--" + setting.key(), config.text(setting)));
                }
            }
            return words;
        }

        /** A view that shows when the budget will be used up, if that ends the run. */
        ProgressView budgeted(ProgressView view) {
            long budget = config.maxEvaluations();
            TrainSettings settings = config.trainSettings();
            return budget == Long.MAX_VALUE || settings.decidesHowMany()
                    ? view
                    : new Budgeted(view, iteration -> iteration.within(budget));
        }

        boolean asksPeople() {
            return config.people().isPresent();
        }
    }

    private static Job fresh(RunConfig config) {
        if (!config.has(Setting.OUT)) {
            String task = RunDirectory.folder(config.text(Setting.ENV));
            String name = task + "_" + config.text(Setting.ALGO) + "_seed" + config.text(Setting.SEED);
            return new Job(RunDirectory.firstFree(Path.of("runs").resolve(name)), config);
        }
        RunDirectory directory = new RunDirectory(Path.of(config.text(Setting.OUT)));
        if (directory.holdsRun()) {
            throw new UserException("--out " + directory.path() + " holds a run already: add --resume to continue it"
                    + (ResumeSettings.nothingAnswered(directory)
                            ? " (no reward has been answered in it yet, so its settings may change)"
                            : "")
                    + ", or choose another folder");
        }
        if (!directory.isFree()) {
            throw new UserException(
                    "--out " + directory.path() + " is not empty and holds no run; choose a new or empty folder");
        }
        return new Job(directory, config);
    }

    private static Job resumed(RunConfig asked, Map<Setting, Given> fromFile, Map<Setting, Given> fromLine) {
        if (!asked.has(Setting.OUT)) {
            throw new UserException("--resume needs --out DIR, the folder of the run to resume");
        }
        RunDirectory directory = new RunDirectory(Path.of(asked.text(Setting.OUT)));
        if (!directory.holdsRun()) {
            throw new UserException(
                    "--out " + directory.path() + " holds no run to resume; leave out --resume to start one there");
        }
        return new Job(directory, ResumeSettings.merge(directory, fromFile, fromLine));
    }
}
