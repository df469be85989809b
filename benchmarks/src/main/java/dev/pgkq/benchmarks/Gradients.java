package dev.pgkq.benchmarks;

import dev.pgkq.benchmarks.GradientStudy.Score;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.reward.Grain;
import dev.pgkq.reward.TaskReward;
import dev.pgkq.text.UserException;
import dev.pgkq.train.TrainSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code pgkq bench gradients}: the error of each way of paying for n of N episodes, relative to the gradient of all N. */
@Command(
        name = "gradients",
        aliases = "--gradients",
        description = {
            "Measures the squared error and the cosine of gradient estimates against the gradient of all N rewards,"
                    + " while PPO trains on the large batch.",
            "The default contenders on all four tasks take hours. Use --tasks, --seeds and --stages for less."
        },
        mixinStandardHelpOptions = true)
final class Gradients implements Callable<Integer> {
    /** The controls, the paper's two options, ours, every rule, and the controls without the help of ours. */
    static final List<String> CONTENDERS = List.of(
            "random",
            "random-mean",
            "impute",
            "model-only",
            "kq-no-mean, paper: algo=ppo-kq-no-mean preset=paper",
            "kq, paper: algo=ppo-kq preset=paper",
            "kq-no-mean",
            "kq",
            "kq-plus",
            "kq-bayes",
            "random-bayes",
            "kq-plus, gram features: algo=ppo-kq-plus gram=features",
            "kq, scalar kernel: algo=ppo-kq kernel=scalar",
            "kq, pursuit: algo=ppo-kq quadrature=pursuit",
            "kq, recombination: algo=ppo-kq quadrature=recombination",
            "kq, recombination-plain: algo=ppo-kq quadrature=recombination-plain",
            "kq, herding: algo=ppo-kq quadrature=herding",
            "kq, thinning: algo=ppo-kq quadrature=thinning",
            "kq, rpcholesky: algo=ppo-kq quadrature=rpcholesky",
            "kq, random: algo=ppo-kq quadrature=random",
            "kq, noise seen: algo=ppo-kq quadrature-noise=include",
            "kq, memory: algo=ppo-kq reward-memory=15",
            "kq, learns first: algo=ppo-kq learn=before",
            "random-mean, learns after: algo=ppo-random-mean learn=after reward-memory=0",
            "impute, learns after: algo=ppo-impute learn=after reward-memory=0",
            "model-only, learns after: algo=ppo-model-only learn=after reward-memory=0",
            "kq, all paid: algo=ppo-kq select=64");

    @Option(
            names = "--tasks",
            split = ",",
            paramLabel = "ID",
            defaultValue = "InvertedDoublePendulum-v4,Hopper-v4,Walker2d-v4,HalfCheetah-v4",
            description = "Tasks (default: ${DEFAULT-VALUE}).")
    private List<String> tasks = List.of();

    @Option(
            names = "--seeds",
            paramLabel = "COUNT",
            defaultValue = "5",
            description = "Runs per task (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(
            names = "--first-seed",
            paramLabel = "SEED",
            defaultValue = "1",
            description = "Seed of the first run (default: ${DEFAULT-VALUE}).")
    private int firstSeed;

    @Option(
            names = "--stages",
            split = ",",
            paramLabel = "LAST",
            defaultValue = "10,30",
            description = "Last iteration of each stage (default: ${DEFAULT-VALUE}).")
    private List<Integer> stages = List.of();

    @Option(
            names = "--batch",
            paramLabel = "N",
            defaultValue = "64",
            description = "Episodes sampled (default: ${DEFAULT-VALUE}).")
    private int batch;

    @Option(
            names = "--select",
            paramLabel = "n",
            defaultValue = "8",
            description = "Episodes paid for (default: ${DEFAULT-VALUE}).")
    private int select;

    @Option(
            names = "--regime",
            paramLabel = "standard|paper",
            defaultValue = "standard",
            description =
                    "Advantages as runs train by default, or as in the paper's formulas (default: ${DEFAULT-VALUE}).")
    private String regime = "";

    @Option(
            names = "--reward",
            paramLabel = "builtin|sparse|rating",
            defaultValue = "builtin",
            description = "The reward (default: ${DEFAULT-VALUE}).")
    private String reward = "";

    @Option(
            names = "--reward-noise",
            paramLabel = "SD",
            description =
                    "Standard deviation of the noise in every paid reward (default: that of the reward). The gradient"
                            + " that estimates are compared with has no noise.")
    private @Nullable Double noise;

    @Option(
            names = "--sample",
            paramLabel = "COUNT",
            description =
                    "Compares with the gradient of so many other episodes of the same policy; 0: with that of the N"
                            + " episodes (default: 4096 for ratings, otherwise 0).")
    private @Nullable Integer sample;

    @Option(names = "--threads", paramLabel = "K", defaultValue = "0", description = "Threads (default: all cores).")
    private int threads;

    @Option(
            names = "--contender",
            paramLabel = "NAME[: KEY=VALUE…]",
            description =
                    "Replaces the default contenders. Settings are those of 'pgkq train', and choice=RULE, another rule"
                            + " for kq-bayes: variance, pursuit, search, prior-pursuit or prior-search. Can be repeated.")
    private List<String> given = new ArrayList<>();

    @Option(names = "--csv", paramLabel = "FILE", description = "Writes every score.")
    private @Nullable Path csv;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Also writes the tables as Markdown.")
    private @Nullable Path markdown;

    @Override
    public Integer call() throws IOException {
        try {
            run();
            return 0;
        } catch (UserException e) {
            System.err.println("pgkq bench: " + e.getMessage());
            return 2;
        }
    }

    private void run() throws IOException {
        if (seeds < 1 || threads < 0 || select < 1 || batch < select || sample != null && sample < 0) {
            throw new UserException(
                    "--seeds and --select need at least 1, --threads and --sample at least 0, --batch at least --select");
        }
        for (int s = 0; s < stages.size(); s++) {
            if (stages.get(s) <= (s == 0 ? 0 : stages.get(s - 1))) {
                throw new UserException("--stages needs ascending iterations, such as 10,30, got " + stages);
            }
        }
        List<Contender> contenders = (given.isEmpty() ? contenders() : given)
                .stream().map(Contender::parse).toList();
        StringBuilder scores = new StringBuilder("task,seed,iteration,contender,squared_error,cosine\n");
        StringBuilder pages = new StringBuilder();
        for (String id : tasks) {
            GradientScores ofTask = measure(id, contenders, scores);
            System.out.println(ofTask.text());
            pages.append(ofTask.markdown()).append('\n');
            if (csv != null) {
                Files.writeString(csv, scores);
            }
            if (markdown != null) {
                Files.writeString(markdown, pages);
            }
        }
    }

    /** Where rewards are noisy, all N of them have an error, too. */
    private List<String> contenders() {
        List<String> all = new ArrayList<>(CONTENDERS);
        if (rewarding().sample() > 0) {
            all.add("all " + batch + " paid: algo=ppo-large");
        }
        return all;
    }

    private Regime regime() {
        return switch (regime) {
            case "standard" -> Regime.STANDARD;
            case "paper" -> Regime.PAPER;
            default -> throw new UserException("--regime needs one of standard, paper, got '" + regime + "'");
        };
    }

    private TaskReward reward() {
        return switch (reward) {
            case "builtin" -> TaskReward.BUILTIN;
            case "sparse" -> TaskReward.SPARSE;
            case "rating" -> TaskReward.RATING;
            default -> throw new UserException("--reward needs one of builtin, sparse, rating, got '" + reward + "'");
        };
    }

    /** N ratings are so noisy that their gradient is no reference. */
    private GradientStudy.Rewarding rewarding() {
        TaskReward paidFor = reward();
        return new GradientStudy.Rewarding(
                paidFor,
                noise == null ? paidFor.noise() : noise,
                sample != null ? sample : paidFor.grain() == Grain.EPISODE ? 4096 : 0);
    }

    private GradientScores measure(String id, List<Contender> contenders, StringBuilder log) {
        Task task = Tasks.named(id);
        int cores = threads > 0 ? threads : Runtime.getRuntime().availableProcessors();
        GradientScores scores = new GradientScores(id, batch, select, contenders, stages);
        int last = stages.getLast();
        long start = System.nanoTime();
        for (int run = 0; run < seeds; run++) {
            int seed = firstSeed + run;
            TrainSettings large = regime().large(reward().grain(), batch, select, seed);
            try (GradientStudy study = new GradientStudy(task, contenders, large, rewarding(), cores)) {
                for (int i = 1; i <= last; i++) {
                    List<Score> all = study.iterate();
                    scores.add(run, i, all);
                    for (int c = 0; c < all.size(); c++) {
                        log.append(String.format(
                                Locale.ROOT,
                                "%s,%d,%d,\"%s\",%.6g,%.6g\n",
                                id,
                                seed,
                                i,
                                contenders.get(c).name(),
                                all.get(c).squaredError(),
                                all.get(c).cosine()));
                    }
                    double done = (run * last + i) / (double) (seeds * last);
                    long spent = System.nanoTime() - start;
                    Duration left = Duration.ofNanos((long) (spent / done * (1 - done)));
                    System.err.printf(
                            Locale.ROOT,
                            "\r%s: run %d of %d, iteration %d of %d, about %d min left ",
                            id,
                            run + 1,
                            seeds,
                            i,
                            last,
                            left.toMinutes());
                }
            }
        }
        System.err.println();
        return scores;
    }
}
