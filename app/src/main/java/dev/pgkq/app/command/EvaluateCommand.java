package dev.pgkq.app.command;

import dev.pgkq.app.config.RunConfig;
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
import dev.pgkq.policy.Policy;
import dev.pgkq.reward.EnvironmentReward;
import dev.pgkq.reward.Rewards;
import dev.pgkq.reward.TaskReward;
import dev.pgkq.statistics.Statistics;
import dev.pgkq.text.UserException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pgkq evaluate RUN}: the return of the policy without its noise, from start states not used in training. */
@Command(
        name = "evaluate",
        description = "Plays the newest policy of a run with its mean or most probable action and new seeds.",
        mixinStandardHelpOptions = true)
public final class EvaluateCommand implements Callable<Integer> {
    private static final int LEAST_WIDTH = 40;
    private static final int MOST_WIDTH = 100;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "RUN", description = "run directory")
    private Path run = Path.of("");

    @Option(names = "--episodes", paramLabel = "COUNT", description = "episodes to play (default: ${DEFAULT-VALUE})")
    private int episodes = 100;

    @Option(names = "--seed", paramLabel = "SEED", description = "seed of the start states (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(names = "--threads", paramLabel = "K", description = "threads (default: all cores)")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--mujoco", paramLabel = "PATH", description = "MuJoCo library to use (default: search for it)")
    private String mujoco = "";

    @Override
    public Integer call() {
        if (episodes < 1 || threads < 1) {
            throw new UserException((episodes < 1 ? "--episodes" : "--threads") + " needs a number of at least 1");
        }
        if (!mujoco.isEmpty()) {
            System.setProperty("pgkq.mujoco", mujoco);
        }
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        TrainedRun saved = TrainedRun.open(run, warning -> err.println("pgkq: " + warning));
        err.println("playing " + episodes + (episodes == 1 ? " episode of " : " episodes of ")
                + saved.task().id() + " …");
        report(out, saved.config(), saved.task(), saved.snapshot().iteration(), play(saved.task(), saved.policy()));
        return ExitCode.DONE.code();
    }

    private record Played(List<Episode> episodes, double[] returns) {}

    private Played play(Task task, Policy policy) {
        try (Workers workers = new Workers(threads);
                LocalRollouts rollouts = new LocalRollouts(task, seed, RolloutMode.EVALUATION, workers);
                EnvironmentReward reward = new EnvironmentReward(task)) {
            List<Episode> played = rollouts.sample(policy, 0, episodes);
            double[] returns =
                    reward.evaluate(played).stream().mapToDouble(Rewards::total).toArray();
            return new Played(played, returns);
        }
    }

    private static void report(PrintWriter out, RunConfig config, Task task, int iteration, Played played) {
        Statistics returns = Statistics.of(played.returns);
        Statistics lengths = Statistics.of(
                played.episodes.stream().mapToDouble(Episode::length).toArray());
        long terminated = count(played, Ending.TERMINATED);
        long truncated = count(played, Ending.TRUNCATED);
        long diverged = count(played, Ending.DIVERGED);
        out.printf(
                Locale.ROOT,
                "%s on %s after iteration %d, %s action, %d %s%n",
                config.text(Setting.ALGO),
                task.id(),
                iteration,
                task.spec().actions() instanceof ActionSpace.Discrete ? "most probable" : "mean",
                returns.count(),
                returns.count() == 1 ? "episode" : "episodes");
        boolean paid = config.reward().equals(Optional.of(TaskReward.BUILTIN));
        out.printf(
                Locale.ROOT,
                "return  %.1f ± %.1f (standard error)%s%n",
                returns.mean(),
                returns.standardError(),
                paid ? "" : " by the task's own reward; the run was trained with " + config.shown(Setting.REWARD));
        out.printf(
                Locale.ROOT,
                "length  %.1f ± %.1f steps; %d terminated, %d at the time limit%s%n%n",
                lengths.mean(),
                lengths.standardError(),
                terminated,
                truncated,
                diverged == 0 ? "" : ", " + diverged + " diverged");
        int width = Math.clamp(Terminal.STANDARD_OUTPUT.columns(), LEAST_WIDTH, MOST_WIDTH);
        Histogram.lines(played.returns, width, true).forEach(out::println);
        out.flush();
    }

    private static long count(Played played, Ending ending) {
        return played.episodes.stream()
                .filter(episode -> episode.ending() == ending)
                .count();
    }
}
