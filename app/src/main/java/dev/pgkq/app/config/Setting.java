package dev.pgkq.app.config;

import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.purchase.OnFailure;
import dev.pgkq.quadrature.Quadrature;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.people.Rating;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.Base;
import dev.pgkq.train.SelectionSettings;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.TrainSettings.Preset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Every setting of a training run: an option of the command line and a key of the YAML file, by the same name. */
public enum Setting {
    ENV("env", Kind.TEXT, "Hopper-v4", "ID", "task to train on; 'pgkq envs' lists them"),
    ALGO("algo", Kind.TEXT, "ppo-kq", "NAME", "algorithm; see below"),
    PRESET(
            "preset",
            Preset.class,
            defaults -> Preset.STANDARD,
            "where settings that are not given come from; paper: the paper to the letter"),
    REWARD(
            "reward",
            Kind.TEXT,
            "builtin",
            "HOW",
            "what is paid for: builtin, the task's own; sparse, 1 for every step that goes well; rating, one score from 0 to 10"
                    + " for a whole episode; human, what people say who watch it; or from outside: exec:COMMAND, http://…, https://…,"
                    + " java:CLASS, files:FOLDER"),
    REWARD_PER(
            "reward-per",
            Grain.class,
            defaults -> defaults.episodes().grain(),
            "from outside: whether an answer is the reward of every step or one number for the episode"),
    REWARD_NOISE(
            "reward-noise",
            Kind.REAL,
            "0",
            "SD",
            "not from outside: standard deviation of noise in every number; a rating has 0.5 if nothing is said"),
    REWARD_TIMEOUT(
            "reward-timeout",
            Kind.REAL,
            "",
            "SECONDS",
            "from outside: how long one answer may take (default: a day)",
            Scope.MAY_CHANGE),
    REWARD_ATTEMPTS(
            "reward-attempts",
            Kind.WHOLE,
            "",
            "COUNT",
            "from outside: how often an episode is asked for, at most (default: 5)",
            Scope.MAY_CHANGE),
    REWARDS_AT_ONCE(
            "rewards-at-once",
            Kind.WHOLE,
            "",
            "COUNT",
            "from outside: evaluations under way at once (default: 8, or the cores of a cluster)",
            Scope.MAY_CHANGE),
    REWARD_RATE(
            "reward-rate",
            Kind.REAL,
            "",
            "COUNT",
            "from outside: evaluations that may begin in a minute (default: any number)",
            Scope.MAY_CHANGE),
    LEDGER(
            "ledger",
            Kind.TEXT,
            "",
            "FILE|URL",
            "from outside: where answers are kept, a file or jdbc:postgresql://… (default: ledger.db in the run directory)",
            Scope.MAY_CHANGE),
    MAX_EVALUATIONS(
            "max-evaluations",
            Kind.WHOLE,
            "",
            "COUNT",
            "stop before more episodes than this are paid for (default: no limit)",
            Scope.MAY_CHANGE),
    MAX_COST(
            "max-cost",
            Kind.REAL,
            "",
            "SUM",
            "from outside: stop before more than this is spent (default: no limit)",
            Scope.MAY_CHANGE),
    COST(
            "cost",
            Kind.REAL,
            "",
            "SUM",
            "from outside: what an evaluation costs where the answer does not say (default: 0)",
            Scope.MAY_CHANGE),
    RATING("rating", Rating.class, defaults -> Rating.SCALE, "human: people rate episodes, or compare two"),
    RATING_SCALE(
            "rating-scale",
            Kind.TEXT,
            "0..10",
            "LOW..HIGH",
            "human: the numbers people choose from, with words for the ends if wanted: \"0 fell at once .. 10 walks like a"
                    + " person\""),
    RATERS_PER_EPISODE(
            "raters-per-episode",
            Kind.WHOLE,
            "1",
            "COUNT",
            "human: how many different people judge each episode, or each pair; their mean counts",
            Scope.MAY_CHANGE),
    RATING_GRACE(
            "rating-grace",
            Kind.REAL,
            "10",
            "SECONDS",
            "human: how long ratings can be taken back once all of an iteration are there",
            Scope.MAY_CHANGE),
    ON_FAILURE(
            "on-failure",
            OnFailure.class,
            defaults -> defaults.episodes().onFailure(),
            "when a reward does not come: go on with the others and new weights, pay for other episodes, or stop"),
    ITERATIONS("iterations", Kind.WHOLE, "500", "COUNT", "iterations to train", Scope.MAY_CHANGE),
    BATCH("batch", Kind.WHOLE, defaults -> defaults.episodes().batch(), "N", "episodes of a large batch"),
    SELECT(
            "select",
            Kind.WHOLE,
            defaults -> defaults.episodes().select(),
            "n",
            "episodes paid for where not all of the batch is"),
    SEED("seed", Kind.WHOLE, "1", "SEED", "same seed, same run, to the last bit"),
    OUT("out", Kind.TEXT, "", "DIR", "run directory (default: a new one under runs/)", Scope.OF_THE_CALL),
    THREADS(
            "threads",
            Kind.WHOLE,
            "",
            "K",
            "threads (default: all cores); results do not depend on it",
            Scope.MAY_CHANGE),
    CLUSTER(
            "cluster",
            Kind.TEXT,
            "",
            "MASTER",
            "sample and compare episodes on Apache Spark: spark://HOST:7077, local-cluster[2,1,1024], k8s://…; results are"
                    + " the same",
            Scope.OF_THE_CALL),
    CLUSTER_OPTIONS(
            "cluster-options",
            Kind.TEXT,
            "",
            "KEY=VALUE,…",
            "with --cluster: settings of Spark, such as spark.executor.cores=4,spark.executor.memory=8g",
            Scope.OF_THE_CALL),
    CLUSTER_TIMEOUT(
            "cluster-timeout",
            Kind.REAL,
            "60",
            "SECONDS",
            "with --cluster: how long a worker may be silent before its work is given to others",
            Scope.OF_THE_CALL),
    REWARD_ON(
            "reward-on",
            Kind.TEXT,
            "here",
            "here|cluster",
            "with --cluster: where exec: and java: rewards are computed",
            Scope.OF_THE_CALL),
    MUJOCO("mujoco", Kind.TEXT, "", "PATH", "MuJoCo library to use (default: look for it)", Scope.OF_THE_CALL),
    KEEP_EPISODES(
            "keep-episodes",
            Kind.REAL,
            "100",
            "MB",
            "room for the newest episodes, to be replayed; 0: none are kept",
            Scope.MAY_CHANGE),
    TENSORBOARD("tensorboard", Kind.FLAG, "false", "", "also write event files for TensorBoard", Scope.MAY_CHANGE),

    DISCOUNT("discount", Kind.REAL, defaults -> defaults.advantage().discount(), "GAMMA", "discount of rewards"),
    ESTIMATOR(
            "estimator",
            AdvantageForm.class,
            defaults -> defaults.advantage().estimator(),
            "advantage: e1, R - V; e2, bootstrapped from the last state"),
    STEP_DISCOUNT(
            "step-discount",
            Kind.FLAG,
            defaults -> defaults.advantage().stepDiscount(),
            "",
            "weigh step t with GAMMA^t, as in the paper's formulas"),
    STANDARDIZE(
            "standardize",
            Kind.FLAG,
            defaults -> defaults.advantage().standardize(),
            "",
            "scale advantages to mean 0 and variance 1"),
    CLIP(
            "clip",
            Kind.REAL,
            defaults -> defaults.policy().clip(),
            "EPSILON",
            "PPO: how far the probability ratio may move"),
    EPOCHS(
            "epochs",
            Kind.WHOLE,
            defaults -> defaults.policy().ascent().minibatches().epochs(),
            "COUNT",
            "passes over the samples per policy step"),
    MINIBATCHES(
            "minibatches",
            Kind.WHOLE,
            defaults -> defaults.policy().ascent().minibatches().count(),
            "COUNT",
            "updates per pass: their number is fixed, not their size"),
    LEARNING_RATE(
            "learning-rate", Kind.REAL, defaults -> defaults.policy().ascent().learningRate(), "RATE", "Adam, policy"),
    ENTROPY(
            "entropy",
            Kind.REAL,
            defaults -> defaults.policy().ascent().entropyBonus(),
            "FACTOR",
            "entropy bonus; the objective is a sum over an episode's steps, so a bonus per step is this / length"),
    MAX_GRAD_NORM(
            "max-grad-norm",
            Kind.REAL,
            defaults -> defaults.policy().ascent().maxGradientNorm(),
            "NORM",
            "scale longer gradients of that sum down to this"),
    VALUE_EPOCHS(
            "value-epochs",
            Kind.WHOLE,
            defaults -> defaults.baseline().minibatches().epochs(),
            "COUNT",
            "passes over the samples per fit of the baseline"),
    VALUE_MINIBATCHES(
            "value-minibatches",
            Kind.WHOLE,
            defaults -> defaults.baseline().minibatches().count(),
            "COUNT",
            "updates per pass of the baseline"),
    VALUE_LEARNING_RATE(
            "value-learning-rate", Kind.REAL, defaults -> defaults.baseline().learningRate(), "RATE", "Adam, baseline"),

    QUADRATURE(
            "quadrature",
            Quadrature.class,
            defaults -> defaults.selection().quadrature(),
            "kq variants: how n of N are chosen"),
    REWEIGHT(
            "reweight",
            SelectionSettings.Reweight.class,
            defaults -> defaults.selection().reweight(),
            "kq variants: simplex, the best weights >= 0 that sum to 1; none, the rule's own (pursuit and search: always simplex)"),
    KERNEL(
            "kernel",
            SelectionSettings.Kernel.class,
            defaults -> defaults.selection().kernel(),
            "kq variants: whose error is kept small; score, the policy gradient's; scalar, that of the sum of advantages"),
    SCORE_DIMENSIONS(
            "score-dimensions",
            Kind.WHOLE,
            defaults -> defaults.selection().scoreDimensions(),
            "d",
            "score kernel: dimensions the scores are projected to; 0: as they are, for tiny batches"),
    QUADRATURE_NOISE(
            "quadrature-noise",
            SelectionSettings.Noise.class,
            defaults -> defaults.selection().noise(),
            "kq variants: whether quadrature sees the kernel's noise"),
    GRAM(
            "gram",
            SelectionSettings.Gram.class,
            defaults -> defaults.selection().gram(),
            "kq variants: how the kernel between episodes is computed; features is an approximation for large batches"),
    GRAM_FEATURES(
            "gram-features",
            Kind.WHOLE,
            defaults -> defaults.selection().gramFeatures(),
            "m",
            "gram features: how many"),
    KERNEL_SCALE(
            "kernel-scale",
            Kind.REAL,
            defaults -> defaults.kernel().scale(),
            "LAMBDA",
            "kernel between steps: logarithm of its scale at the start"),
    KERNEL_NOISE(
            "kernel-noise",
            Kind.REAL,
            defaults -> defaults.kernel().noise(),
            "SIGMA",
            "kernel between steps: logarithm of its noise at the start"),
    KERNEL_GAIN(
            "kernel-gain",
            Kind.REAL,
            defaults -> defaults.kernel().gain(),
            "GAIN",
            "kernel between steps: spread of its features at the start"),
    KERNEL_POINTS(
            "kernel-points",
            Kind.WHOLE,
            defaults -> defaults.kernel().points(),
            "M",
            "kernel between steps: steps in a minibatch of its fit"),
    KERNEL_UPDATES(
            "kernel-updates",
            Kind.WHOLE,
            defaults -> defaults.kernel().updates(),
            "COUNT",
            "kernel between steps: minibatches of a fit"),
    KERNEL_LEARNING_RATE(
            "kernel-learning-rate",
            Kind.REAL,
            defaults -> defaults.kernel().learningRate(),
            "RATE",
            "Adam, kernel between steps"),
    CORRECTION(
            "correction",
            TrainSettings.Correction.class,
            defaults -> defaults.model().correction(),
            "reward model: what it missed in the form of the estimator (matched) or as plain returns (paper)"),
    MEAN_EPOCHS(
            "mean-epochs",
            Kind.WHOLE,
            defaults -> defaults.model().mean().minibatches().epochs(),
            "COUNT",
            "reward model: passes over the paid rewards per fit"),
    MEAN_MINIBATCHES(
            "mean-minibatches",
            Kind.WHOLE,
            defaults -> defaults.model().mean().minibatches().count(),
            "COUNT",
            "reward model: updates per pass"),
    MEAN_LEARNING_RATE(
            "mean-learning-rate",
            Kind.REAL,
            defaults -> defaults.model().mean().learningRate(),
            "RATE",
            "Adam, reward model"),
    REWARD_MEMORY(
            "reward-memory",
            Kind.WHOLE,
            defaults -> defaults.model().mean().memory(),
            "K",
            "reward model: also learns from the rewards of the last K iterations"),
    LEARN(
            "learn",
            TrainSettings.Learn.class,
            defaults -> defaults.model().learn(),
            "reward model: learns from new rewards before or after the policy step");

    /** What a value looks like. */
    enum Kind {
        TEXT,
        WHOLE,
        REAL,
        FLAG,
        /** One of a few words. */
        CHOICE
    }

    /** Whether a run that is resumed may have another value. */
    enum Scope {
        /** Part of what the run is. */
        OF_THE_RUN,
        /** May be different when the run goes on. */
        MAY_CHANGE,
        /** Belongs to one call; not written into the run directory. */
        OF_THE_CALL
    }

    final String key;
    final Kind kind;
    private final Optional<Class<? extends Enum<?>>> choices;
    private final Function<TrainSettings, Object> fallback;
    final String label;
    final String description;
    final Scope scope;

    Setting(
            String key,
            Class<? extends Enum<?>> choices,
            Function<TrainSettings, Enum<?>> fallback,
            String description) {
        this(
                key,
                Kind.CHOICE,
                Optional.of(choices),
                defaults -> Words.of(fallback.apply(defaults)),
                label(choices),
                label(choices).contains("|") ? description : description + ": " + String.join(", ", Words.all(choices)),
                Scope.OF_THE_RUN);
    }

    Setting(String key, Kind kind, Function<TrainSettings, Object> fallback, String label, String description) {
        this(key, kind, fallback, label, description, Scope.OF_THE_RUN);
    }

    Setting(String key, Kind kind, String fallback, String label, String description) {
        this(key, kind, fallback, label, description, Scope.OF_THE_RUN);
    }

    Setting(String key, Kind kind, String fallback, String label, String description, Scope scope) {
        this(key, kind, defaults -> fallback, label, description, scope);
    }

    Setting(
            String key,
            Kind kind,
            Function<TrainSettings, Object> fallback,
            String label,
            String description,
            Scope scope) {
        this(key, kind, Optional.empty(), fallback, label, description, scope);
    }

    Setting(
            String key,
            Kind kind,
            Optional<Class<? extends Enum<?>>> choices,
            Function<TrainSettings, Object> fallback,
            String label,
            String description,
            Scope scope) {
        this.key = key;
        this.kind = kind;
        this.choices = choices;
        this.fallback = fallback;
        this.label = label;
        this.description = description;
        this.scope = scope;
    }

    /** The words it can be, or one for all of them where they are many. */
    private static String label(Class<? extends Enum<?>> choices) {
        List<String> words = Words.all(choices);
        return words.size() > 3 ? "NAME" : String.join("|", words);
    }

    public String key() {
        return key;
    }

    /** Whether it is for rewards from outside only. */
    boolean isForRewardsFromOutside() {
        return switch (this) {
            case REWARD_TIMEOUT, REWARD_ATTEMPTS, REWARDS_AT_ONCE, REWARD_RATE, LEDGER, MAX_COST, COST -> true;
            default -> false;
        };
    }

    /** Whether it is for rewards that people tell only. */
    boolean isForPeople() {
        return switch (this) {
            case RATING, RATING_SCALE, RATERS_PER_EPISODE, RATING_GRACE -> true;
            default -> false;
        };
    }

    /** Whether it is about asking programs and services, which people are not: they see everything and are asked once. */
    boolean isForPrograms() {
        return switch (this) {
            case REWARD_ATTEMPTS, REWARDS_AT_ONCE, REWARD_RATE -> true;
            default -> false;
        };
    }

    /** Whether the algorithm looks at it at all. */
    boolean appliesTo(Algorithm algorithm) {
        return switch (this) {
            case QUADRATURE,
                    REWEIGHT,
                    KERNEL,
                    SCORE_DIMENSIONS,
                    QUADRATURE_NOISE,
                    GRAM,
                    GRAM_FEATURES,
                    KERNEL_SCALE,
                    KERNEL_NOISE,
                    KERNEL_GAIN,
                    KERNEL_POINTS,
                    KERNEL_UPDATES,
                    KERNEL_LEARNING_RATE -> algorithm.variant().choosesByKernel();
            case CORRECTION, MEAN_EPOCHS, MEAN_MINIBATCHES, MEAN_LEARNING_RATE, REWARD_MEMORY, LEARN ->
                algorithm.variant().modelsRewards();
            case CLIP -> algorithm.base() == Base.PPO;
            default -> true;
        };
    }

    /** The words it can be, where it is a choice. */
    List<String> choices() {
        return choices.map(Words::all).orElse(List.of());
    }

    /** The value where none is given; some depend on preset, algorithm and what is known of rewards. Empty: there is none. */
    String fallback(Preset preset, Algorithm algorithm, Grain grain) {
        return fallback(TrainSettings.defaults(preset, algorithm, grain, 0));
    }

    /** The value where none is given, of all defaults. */
    String fallback(TrainSettings defaults) {
        Object value = fallback.apply(defaults);
        return value instanceof Double real ? PlainNumber.of(real) : value.toString();
    }

    /** The value where none is given, in words. */
    String fallbackInWords() {
        String usual = fallback(Preset.STANDARD, Algorithm.named("ppo-kq"), Grain.STEP);
        if (usual.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder(" (default: ").append(usual);
        for (String other : List.of("vpg-kq", "ppo-kq-plus")) {
            String value = fallback(Preset.STANDARD, Algorithm.named(other), Grain.STEP);
            if (!value.equals(usual)) {
                text.append(", ")
                        .append(other.equals("vpg-kq") ? "vpg" : "kq-plus")
                        .append(": ")
                        .append(value);
            }
        }
        String paper = fallback(Preset.PAPER, Algorithm.named("ppo-kq"), Grain.STEP);
        if (!paper.equals(usual)) {
            text.append(", with --preset paper: ").append(paper);
        }
        String rated = fallback(Preset.STANDARD, Algorithm.named("ppo-kq"), Grain.EPISODE);
        if (!rated.equals(usual) && this != REWARD_PER) {
            text.append(", with one reward for an episode: ").append(rated);
        }
        return text.append(')').toString();
    }

    public static Optional<Setting> named(String key) {
        return Arrays.stream(values())
                .filter(setting -> setting.key.equals(key))
                .findFirst();
    }

    public static List<String> keys() {
        return Arrays.stream(values()).map(Setting::key).toList();
    }
}
