package dev.pgkq.app.command;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.terminal.Histogram;
import dev.pgkq.app.terminal.Terminal;
import dev.pgkq.app.training.TrainedRun;
import dev.pgkq.env.ActionSpace;
import dev.pgkq.env.Task;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.parallel.Workers;
import dev.pgkq.reward.EnvironmentReward;
import dev.pgkq.reward.Rewards;
import dev.pgkq.reward.TaskReward;
import dev.pgkq.statistics.Statistics;
import dev.pgkq.text.Numbers;
import dev.pgkq.text.UserException;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code pgkq evaluate RUN}: the return of the policy without its noise, from start states not used in training. */
@Command(
        name = "evaluate",
        description = "Plays the newest or best policy of a run with its mean or most probable action and new seeds.",
        mixinStandardHelpOptions = true)
public final class EvaluateCommand implements Callable<Integer> {
    private static final int LEAST_WIDTH = 40;
    private static final int MOST_WIDTH = 100;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private PolicyOptions policy = new PolicyOptions();

    @Option(names = "--episodes", paramLabel = "COUNT", description = "episodes to play (default: ${DEFAULT-VALUE})")
    private int episodes = 100;

    @Option(names = "--seed", paramLabel = "SEED", description = "seed of the start states (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(names = "--threads", paramLabel = "K", description = "threads (default: all cores)")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--pay",
            paramLabel = "COUNT",
            description =
                    "with rewards from outside: also score COUNT of the episodes with them, through the run's ledger; the same"
                            + " evaluation is never paid for twice")
    private Optional<Integer> pay = Optional.empty();

    @Option(
            names = "--max-evaluations",
            paramLabel = "COUNT",
            description = "with --pay: budget of the run, including training (default: that of the run)")
    private String maxEvaluations = "";

    @Option(
            names = "--max-cost",
            paramLabel = "SUM",
            description = "with --pay: budget of the run, including training (default: that of the run)")
    private String maxCost = "";

    @Override
    public Integer call() {
        if (episodes < 1 || threads < 1 || pay.orElse(1) < 1) {
            throw new UserException((episodes < 1 ? "--episodes" : threads < 1 ? "--threads" : "--pay")
                    + " needs a number of at least 1");
        }
        Map<Setting, Given> budget = budget();
        if (pay.isEmpty() && !budget.isEmpty()) {
            throw new UserException(
                    budget.values().iterator().next().origin() + " is a budget for --pay: give --pay COUNT as well");
        }
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        TrainedRun saved = policy.open(err);
        int count = Math.max(episodes, pay.orElse(0));
        err.println(
                "playing " + counted(count, "episode") + " of " + saved.task().id() + " …");
        Played played = play(saved, count);
        Optional<PaidReturn> paid =
                pay.map(number -> PaidReturn.of(saved, played.episodes.subList(0, number), budget, err));
        report(out, saved, played, paid);
        return ExitCode.DONE.code();
    }

    private Map<Setting, Given> budget() {
        Map<Setting, Given> budget = new EnumMap<>(Setting.class);
        if (!maxEvaluations.isEmpty()) {
            budget.put(Setting.MAX_EVALUATIONS, new Given(maxEvaluations, "--max-evaluations"));
        }
        if (!maxCost.isEmpty()) {
            budget.put(Setting.MAX_COST, new Given(maxCost, "--max-cost"));
        }
        return budget;
    }

    private static String counted(int count, String thing) {
        return count + " " + thing + (count == 1 ? "" : "s");
    }

    private record Played(List<Episode> episodes, double[] returns) {}

    private Played play(TrainedRun saved, int count) {
        Task task = saved.task();
        try (Workers workers = new Workers(threads);
                LocalRollouts rollouts = new LocalRollouts(task, seed, RolloutMode.EVALUATION, workers);
                EnvironmentReward reward = new EnvironmentReward(task)) {
            List<Episode> played = rollouts.sample(saved.policy(), 0, count);
            double[] returns =
                    reward.evaluate(played).stream().mapToDouble(Rewards::total).toArray();
            return new Played(played, returns);
        }
    }

    private static void report(PrintWriter out, TrainedRun saved, Played played, Optional<PaidReturn> paid) {
        RunConfig config = saved.config();
        Statistics lengths = Statistics.of(
                played.episodes.stream().mapToDouble(Episode::length).toArray());
        long diverged = count(played, Ending.DIVERGED);
        out.printf(
                Locale.ROOT,
                "%s on %s after iteration %d, %s action, %s%n",
                config.text(Setting.ALGO),
                saved.task().id(),
                saved.snapshot().iteration(),
                saved.task().spec().actions() instanceof ActionSpace.Discrete ? "most probable" : "mean",
                counted(lengths.count(), "episode"));
        Map<String, String> lines = new LinkedHashMap<>();
        paid.ifPresent(bought -> lines.put("paid return", bought.words()));
        if (config.hasTaskReward()) {
            lines.putAll(taskReturn(config, played, paid.isPresent()));
        }
        lines.put(
                "length",
                String.format(
                        Locale.ROOT,
                        "%.1f ± %.1f steps; %d terminated, %d at the time limit%s",
                        lengths.mean(),
                        lengths.standardError(),
                        count(played, Ending.TERMINATED),
                        count(played, Ending.TRUNCATED),
                        diverged == 0 ? "" : ", " + diverged + " diverged"));
        int column = lines.keySet().stream().mapToInt(String::length).max().orElse(0) + 2;
        lines.forEach((name, text) -> out.printf(Locale.ROOT, "%-" + column + "s%s%n", name, text));
        if (config.reward().isEmpty() && paid.isEmpty()) {
            out.println();
            out.println((config.hasTaskReward()
                            ? "These returns are of the task's own reward."
                            : "The task has no reward of its own.")
                    + " The run was trained with " + config.shown(Setting.REWARD) + ":");
            out.println(
                    config.people().isPresent()
                            ? "--pay 20 asks people to rate 20 of these episodes, each once"
                            : "--pay 20 scores 20 of these episodes with it, and pays for each once");
        }
        if (!config.hasTaskReward() && paid.isEmpty()) {
            out.flush();
            return;
        }
        out.println();
        if (config.reward().isEmpty()) {
            out.println(paid.isPresent() ? "paid return:" : "task return:");
        }
        int width = Math.clamp(Terminal.STANDARD_OUTPUT.columns(), LEAST_WIDTH, MOST_WIDTH);
        Histogram.lines(paid.map(PaidReturn::returns).orElse(played.returns), width, true)
                .forEach(out::println);
        out.flush();
    }

    private static Map<String, String> taskReturn(RunConfig config, Played played, boolean isPaid) {
        Statistics returns = Statistics.of(played.returns);
        String text =
                Numbers.brief(returns.mean()) + " ± " + Numbers.brief(returns.standardError()) + " (standard error)";
        Optional<TaskReward> reward = config.reward();
        if (reward.isEmpty()) {
            return Map.of(
                    "task return",
                    text + (isPaid ? ", " + counted(returns.count(), "episode") : "") + ", by the task's own reward");
        }
        return Map.of(
                "return",
                reward.get() == TaskReward.BUILTIN
                        ? text
                        : text + " by the task's own reward; the run was trained with " + config.text(Setting.REWARD));
    }

    private static long count(Played played, Ending ending) {
        return played.episodes.stream()
                .filter(episode -> episode.ending() == ending)
                .count();
    }
}
