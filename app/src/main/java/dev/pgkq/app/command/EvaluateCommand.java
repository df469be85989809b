package dev.pgkq.app.command;

import dev.pgkq.app.config.ConfigFile;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.Checkpoints;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.terminal.Histogram;
import dev.pgkq.app.terminal.Terminal;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.GaussianPolicy;
import dev.pgkq.reward.EnvironmentReward;
import dev.pgkq.reward.Rewards;
import dev.pgkq.state.Snapshot;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Statistics;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pgkq evaluate RUN}: how good the policy is without its noise, from starts that training never saw. */
@Command(
        name = "evaluate",
        description = "Plays a run's newest policy with its mean action and fresh seeds.",
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

    @Option(names = "--seed", paramLabel = "SEED", description = "start states (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(names = "--threads", paramLabel = "K", description = "threads (default: all cores)")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--mujoco", paramLabel = "PATH", description = "MuJoCo library to use (default: look for it)")
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
        RunDirectory directory = new RunDirectory(run);
        if (!directory.holdsRun()) {
            throw new UserException(
                    run + " holds no run (there is no config.yaml); give the folder that 'pgkq train' wrote");
        }
        RunConfig config = RunConfig.of(ConfigFile.read(directory.config()));
        Checkpoints.Found found = directory
                .checkpoints()
                .newest()
                .orElseThrow(() -> new UserException(
                        run + " has no checkpoint: no iteration was finished, or its folder was removed"));
        PrintWriter err = spec.commandLine().getErr();
        found.damaged().values().forEach(problem -> err.println("pgkq: damaged checkpoint passed over: " + problem));
        Snapshot saved = found.saved().snapshot();
        Task task = Tasks.named(config.text(Setting.ENV));
        err.println("playing " + episodes + " episodes of " + task.id() + " …");
        report(out, config, task, saved.iteration(), play(task, policy(task, saved)));
        return 0;
    }

    private static GaussianPolicy policy(Task task, Snapshot saved) {
        EnvironmentSpec shape = task.spec();
        GaussianPolicy policy = GaussianPolicy.initialize(shape.observationSize(), shape.actionSize(), 0);
        float[] parameters = saved.tensors().getOrDefault("policy.parameters", new float[0]);
        if (parameters.length != policy.parameters().length) {
            throw new UserException("the saved policy has " + parameters.length + " parameters, the task's needs "
                    + policy.parameters().length
                    + ": its config.yaml names another task, or the run was made with another version");
        }
        System.arraycopy(parameters, 0, policy.parameters(), 0, parameters.length);
        return policy;
    }

    private record Played(List<Episode> episodes, double[] returns) {}

    private Played play(Task task, GaussianPolicy policy) {
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
                "%s on %s after iteration %d, mean action, %d episodes%n",
                config.text(Setting.ALGO),
                task.id(),
                iteration,
                returns.count());
        out.printf(Locale.ROOT, "return  %.1f ± %.1f (standard error)%n", returns.mean(), returns.standardError());
        out.printf(
                Locale.ROOT,
                "length  %.1f ± %.1f steps; %d terminated, %d at the time limit%s%n%n",
                lengths.mean(),
                lengths.standardError(),
                terminated,
                truncated,
                diverged == 0 ? "" : ", " + diverged + " blew up");
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
