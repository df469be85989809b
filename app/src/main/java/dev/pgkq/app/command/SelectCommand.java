package dev.pgkq.app.command;

import dev.pgkq.app.config.Words;
import dev.pgkq.app.logged.EpisodeFile;
import dev.pgkq.app.logged.EpisodeKernel;
import dev.pgkq.app.logged.EpisodeSelection;
import dev.pgkq.app.logged.GaussianKernel;
import dev.pgkq.app.logged.LoggedEpisodes;
import dev.pgkq.app.logged.RunKernel;
import dev.pgkq.app.terminal.Heartbeat;
import dev.pgkq.app.training.TrainedRun;
import dev.pgkq.env.ActionSpace;
import dev.pgkq.gp.EpisodicGram;
import dev.pgkq.gp.ExactGram;
import dev.pgkq.gp.FeatureGram;
import dev.pgkq.kernel.GaussianEpisodeKernel;
import dev.pgkq.kernel.GaussianEpisodeKernel.Inputs;
import dev.pgkq.kernel.GaussianEpisodeKernel.Weights;
import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.LocalSearch;
import dev.pgkq.quadrature.Quadrature;
import dev.pgkq.quadrature.QuadratureRule;
import dev.pgkq.rewards.files.WholeFile;
import dev.pgkq.text.UserException;
import dev.pgkq.train.SelectionSettings.Gram;
import dev.pgkq.train.SelectionSettings.Reweight;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pgkq select EPISODES}: selects which of many logged episodes to score, before any score is known. */
@Command(
        name = "select",
        description =
                "Selects the few of many logged episodes whose weighted scores best estimate the mean score of all.",
        mixinStandardHelpOptions = true,
        footer = {"", "File formats and method: docs/select.md."})
public final class SelectCommand implements Callable<Integer> {
    private static final String GRAM = "--gram";
    private static final int FEATURES = 512;
    private static final int MOST_NAMED = 10;
    /** N n⁴ of a search that takes about half a minute. */
    private static final double MOST_WORK = 1e9;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "EPISODES",
            description = "JSON lines, as in requests for rewards, or a NumPy .npz file with observations and actions")
    private Path file = Path.of("");

    @Option(names = "--n", paramLabel = "COUNT", description = "episodes to select (default: ${DEFAULT-VALUE})")
    private int n = 8;

    @Option(
            names = "--run",
            paramLabel = "RUN",
            description = "use the learned kernel of this run (default: a Gaussian kernel of the steps)")
    private Path run = Path.of("");

    @Option(
            names = "--inputs",
            paramLabel = "WORD",
            description = "standardized or raw: inputs of the Gaussian kernel (default: standardized)")
    private String inputs = "";

    @Option(
            names = "--categories",
            paramLabel = "COUNTS",
            split = ",",
            description =
                    "the actions are numbers of categories, from 0: how many there are, for each number of an action,"
                            + " as 4 or 3,2 (default: actions are quantities; with --run, the task decides)")
    private int[] categories = {};

    @Option(
            names = "--weights",
            paramLabel = "WORD",
            description =
                    "mean or sum: whether an episode is represented by the mean of its steps or their sum (default: mean)")
    private String weights = "";

    @Option(
            names = "--quadrature",
            paramLabel = "RULE",
            description = "recombination, recombination-plain, herding, thinning, rpcholesky, pursuit, search or random"
                    + " (default: ${DEFAULT-VALUE})")
    private String quadrature = "search";

    @Option(
            names = "--reweight",
            paramLabel = "WORD",
            description =
                    "simplex or none: whether the weights of the selected episodes are optimized (default: ${DEFAULT-VALUE})")
    private String reweight = "simplex";

    @Option(
            names = GRAM,
            paramLabel = "WORD",
            description = "exact or features: how kernels are computed (default: ${DEFAULT-VALUE})")
    private String gram = "exact";

    @Option(names = "--out", paramLabel = "FILE", description = "write the selection to this file, as CSV")
    private Path out = Path.of("");

    @Option(names = "--seed", paramLabel = "SEED", description = "seed of random choices (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(names = "--threads", paramLabel = "K", description = "threads (default: all cores)")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--mujoco", paramLabel = "PATH", description = "MuJoCo library to use (default: search for it)")
    private String mujoco = "";

    @Override
    public Integer call() {
        if (n < 1 || threads < 1) {
            throw new UserException((n < 1 ? "--n" : "--threads") + " needs a number of at least 1");
        }
        if (!mujoco.isEmpty()) {
            System.setProperty("pgkq.mujoco", mujoco);
        }
        rule(1); // invalid options are reported before anything is read
        EpisodeKernel kernel = kernel();
        requireOtherFile();
        PrintWriter print = spec.commandLine().getOut();
        try (Heartbeat heart = new Heartbeat(spec.commandLine().getErr());
                Workers workers = new Workers(threads)) {
            LoggedEpisodes episodes = EpisodeFile.read(file, heart::doing);
            heart.doing(() -> waiting(episodes, workers));
            EpisodeSelection choice = n < episodes.count()
                    ? EpisodeSelection.of(episodes, n, kernel, rule(episodes.count()), seed, workers)
                    : EpisodeSelection.all(episodes);
            if (!out.toString().isEmpty()) {
                WholeFile.replace(out, choice.csv().getBytes(StandardCharsets.UTF_8));
            }
            report(print, episodes, choice);
        }
        return ExitCode.DONE.code();
    }

    private String waiting(LoggedEpisodes episodes, Workers workers) {
        if (workers.share() == 1) {
            return "selecting " + n + " of " + episodes.count() + " episodes";
        }
        boolean fast = Words.parse(GRAM, gram, Gram.class) == Gram.FEATURES;
        return String.format(
                Locale.ROOT,
                "computing the kernel between %d episodes, %.0f %%%s",
                episodes.count(),
                100 * workers.share(),
                fast ? "" : "; --gram features is faster");
    }

    /** In training a search must not take longer than the rest; here it may, since scores cost more than half a minute. */
    private QuadratureRule rule(int episodes) {
        Reweight best = Words.parse("--reweight", reweight, Reweight.class);
        Quadrature named = Words.parse("--quadrature", quadrature, Quadrature.class);
        boolean thorough = named == Quadrature.SEARCH && episodes * Math.pow(n, 4) <= MOST_WORK;
        return thorough ? new LocalSearch(1) : best.rule(named);
    }

    private EpisodeKernel kernel() {
        EpisodicGram sums = switch (Words.parse(GRAM, gram, Gram.class)) {
            case EXACT -> new ExactGram();
            case FEATURES -> new FeatureGram(FEATURES, seed);
        };
        if (run.toString().isEmpty()) {
            GaussianEpisodeKernel gaussian = new GaussianEpisodeKernel(
                    inputs.isEmpty() ? Inputs.STANDARDIZED : Words.parse("--inputs", inputs, Inputs.class),
                    weights.isEmpty() ? Weights.MEAN : Words.parse("--weights", weights, Weights.class),
                    sums,
                    seed);
            return new GaussianKernel(gaussian, discrete());
        }
        if (!inputs.isEmpty() || !weights.isEmpty() || categories.length > 0) {
            throw new UserException((!inputs.isEmpty() ? "--inputs" : !weights.isEmpty() ? "--weights" : "--categories")
                    + " cannot be combined with --run, whose kernel has learned inputs and weights of the steps: leave out"
                    + " one of them");
        }
        PrintWriter err = spec.commandLine().getErr();
        return new RunKernel(TrainedRun.open(run, warning -> err.println("pgkq: " + warning)), sums);
    }

    private Optional<ActionSpace.Discrete> discrete() {
        try {
            return categories.length == 0 ? Optional.empty() : Optional.of(new ActionSpace.Discrete(categories));
        } catch (IllegalArgumentException e) {
            throw new UserException("--categories: " + e.getMessage(), e);
        }
    }

    /** Logged episodes must not be overwritten: they cannot be recorded again. */
    private void requireOtherFile() {
        try {
            if (!out.toString().isEmpty() && Files.exists(out) && Files.isSameFile(out, file)) {
                throw new UserException("--out " + out + " is the file with the episodes: choose another one");
            }
        } catch (IOException e) {
            // reading or writing the file will report the problem
        }
    }

    private void report(PrintWriter print, LoggedEpisodes episodes, EpisodeSelection choice) {
        print.println(sizes(episodes));
        if (episodes.empty().length > 0) {
            print.println("skipped, because they have no steps: "
                    + Arrays.stream(episodes.empty())
                            .limit(MOST_NAMED)
                            .mapToObj(Integer::toString)
                            .collect(Collectors.joining(", "))
                    + (episodes.empty().length > MOST_NAMED ? ", … (" + episodes.empty().length + " in total)" : ""));
        }
        boolean all = n >= episodes.count();
        if (all) {
            print.println("--n " + n + " selects all of them, each with the same weight");
        } else {
            print.println("kernel: " + choice.description());
            print.println(choice.rows().size() + " selected by " + quadrature
                    + (choice.rows().size() < n ? "; more would have weight 0" : ""));
        }
        print.println();
        choice.table().forEach(print::println);
        if (!all) {
            print.println();
            choice.verdict(n).forEach(print::println);
        }
        if (!out.toString().isEmpty()) {
            print.println();
            print.println("  the selection is in " + out);
        }
        print.flush();
    }

    private String sizes(LoggedEpisodes episodes) {
        int shortest = Integer.MAX_VALUE;
        int longest = 0;
        for (int i = 0; i < episodes.count(); i++) {
            shortest = Math.min(shortest, episodes.steps().length(i));
            longest = Math.max(longest, episodes.steps().length(i));
        }
        return file + ": " + episodes.count() + (episodes.count() == 1 ? " episode" : " episodes") + " of "
                + (shortest == longest ? "" : shortest + " to ") + longest + (longest == 1 ? " step" : " steps")
                + ", each with " + episodes.observationSize()
                + (episodes.observationSize() == 1 ? " observation and " : " observations and ") + episodes.actionSize()
                + (episodes.actionSize() == 1 ? " action" : " actions");
    }
}
