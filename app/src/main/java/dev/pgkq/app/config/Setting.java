package dev.pgkq.app.config;

import static dev.pgkq.app.config.SettingSpec.choice;
import static dev.pgkq.app.config.SettingSpec.classPath;
import static dev.pgkq.app.config.SettingSpec.count;
import static dev.pgkq.app.config.SettingSpec.even;
import static dev.pgkq.app.config.SettingSpec.flag;
import static dev.pgkq.app.config.SettingSpec.layers;
import static dev.pgkq.app.config.SettingSpec.pace;
import static dev.pgkq.app.config.SettingSpec.real;
import static dev.pgkq.app.config.SettingSpec.reward;
import static dev.pgkq.app.config.SettingSpec.text;
import static dev.pgkq.app.config.SettingSpec.updates;
import static dev.pgkq.app.config.SettingSpec.whole;

import dev.pgkq.app.config.SettingSpec.Range;
import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.nn.Activation;
import dev.pgkq.nn.TargetUnits;
import dev.pgkq.purchase.OnFailure;
import dev.pgkq.quadrature.Quadrature;
import dev.pgkq.rewards.people.Rating;
import dev.pgkq.rewards.people.RatingScale;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.SelectionSettings;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.TrainSettings.Preset;
import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every setting of a training run: an option of the command line and a key of the YAML file, by the same name. The order
 * is that of {@code config.yaml}.
 */
public enum Setting {
    ENV(
            Group.TASK,
            text("ID", Setting::requireTask).or("Hopper-v4").basic(),
            "task to train on: one that 'pgkq envs' lists, gym:ID, or python:MODULE:CLASS"),
    ENV_ARGS(
            Group.TASK,
            text("JSON", Setting::requireObject),
            "arguments for the constructor of an environment in Python, such as '{\"gravity\": 3.7}'"),
    TIME_LIMIT(
            Group.TASK,
            count("STEPS", 1),
            "most steps of an episode in Python (default: the environment's own limit, or else 1000)"),
    ALGO(
            Group.TASK,
            text("NAME", Algorithm::named).or(Setting.DEFAULT_ALGORITHM).basic(),
            "algorithm; see the list below"),
    PRESET(
            Group.TASK,
            choice(Preset.class).or(Preset.STANDARD).basic(),
            "source of all settings that are not given; paper: the formulas and settings of the paper"),
    REWARD(
            Group.REWARDS,
            reward().or(RewardChoice.BUILTIN).basic(),
            "reward to train on: builtin, the task's own; sparse, 1 for every good step; rating, one score from 0 to 10 per"
                    + " episode; human, ratings by people in a browser; or an external one: exec:COMMAND, python:MODULE:FUNCTION,"
                    + " http://…, https://…, java:CLASS, files:FOLDER"),
    REWARD_PER(
            Group.REWARDS,
            choice(RewardPer.class).orElse(SettingSpec.Defaults::per).basic(),
            "whether an external reward is one number per step or one per episode; auto: as the first answer shows"),
    REWARD_VERSION(
            Group.REWARDS,
            count("N", 1).or(1).onlyFor(Relevance.EXTERNAL).changeable(),
            "version of an external reward: answers in the ledger are reused for the same version only; given on the command"
                    + " line, also after its script has changed"),
    REWARD_NOISE(
            Group.REWARDS,
            real("SD", Range.NOT_NEGATIVE).orElse(defaults -> defaults.reward().noise()),
            "standard deviation of noise added to the task's rewards"),
    TASK_REWARD(
            Group.REWARDS,
            choice(TaskRewards.class).or(TaskRewards.OWN).onlyFor(Relevance.EXTERNAL),
            "with an external reward: whether the task has a reward of its own, to be shown beside it"),
    INFOS(
            Group.REWARDS,
            flag().onlyFor(Relevance.PROGRAMS),
            "send what an environment in Python returns as info along with chosen episodes, which are played again for that"
                    + " (default: false)"),
    FRAMES(
            Group.REWARDS,
            count("COUNT", 0, 100_000).changeable(),
            "most pictures that an environment in Python renders of each chosen episode, for external rewards and replays;"
                    + " the episode is played again for that (default: 0, with --reward human 200)"),
    REWARD_TIMEOUT(
            Group.LIMITS,
            real("SECONDS", Range.POSITIVE).onlyFor(Relevance.EXTERNAL).changeable(),
            "longest time that one evaluation may take (default: a day)"),
    REWARD_ATTEMPTS(
            Group.LIMITS,
            count("COUNT", 1).onlyFor(Relevance.PROGRAMS).changeable(),
            "most attempts to evaluate one episode (default: 5)"),
    REWARDS_AT_ONCE(
            Group.LIMITS,
            count("COUNT", 1).onlyFor(Relevance.PROGRAMS).changeable(),
            "most evaluations at the same time (default: 8, or the number of cores of the cluster)"),
    REWARD_RATE(
            Group.LIMITS,
            real("COUNT", Range.POSITIVE).onlyFor(Relevance.PROGRAMS).changeable(),
            "most evaluations that start per minute (default: no limit)"),
    LEDGER(
            Group.REWARDS,
            text("FILE|URL").onlyFor(Relevance.EXTERNAL).changeable().basic(),
            "where external rewards are kept: a file or jdbc:postgresql://… (default: ledger.db in the run directory)"),
    ACCEPT_LOST_LEDGER(
            Group.REWARDS,
            flag().or(false).onlyFor(Relevance.EXTERNAL).perCall(),
            "resume although the ledger lacks answers that the run has paid for; they still count against the budget"),
    MAX_EVALUATIONS(
            Group.LIMITS,
            count("COUNT", 1).changeable().basic(),
            "stop before more episodes than this are evaluated; calls without an answer count (default: no limit)"),
    MAX_COST(
            Group.LIMITS,
            real("SUM", Range.POSITIVE).onlyFor(Relevance.EXTERNAL).changeable().basic(),
            "stop before external rewards cost more than this (default: no limit)"),
    COST(
            Group.LIMITS,
            real("SUM", Range.PRICE).onlyFor(Relevance.EXTERNAL).changeable(),
            "cost of an evaluation whose answer does not state it (default: 0)"),
    COST_OF_FAILURE(
            Group.LIMITS,
            real("SUM", Range.PRICE).onlyFor(Relevance.EXTERNAL).changeable(),
            "cost of a call that gave no answer; 0 if such calls are free and do not count (default: the cost of an answer)"),
    RATING(
            Group.PEOPLE,
            choice(Rating.class).or(Rating.SCALE),
            "whether people rate episodes one by one or compare two"),
    RATING_SCALE(
            Group.PEOPLE,
            text("LOW..HIGH", RatingScale::parse).or("0..10"),
            "numbers to choose from, optionally with a label for each end: \"0 fell at once .. 10 walks like a person\""),
    RATERS_PER_EPISODE(
            Group.PEOPLE,
            count("COUNT", 1, 100).or(1).changeable(),
            "number of people who judge each episode or pair; their mean counts"),
    RATING_GRACE(
            Group.PEOPLE,
            real("SECONDS", Range.NOT_NEGATIVE).or(10.0).changeable(),
            "how long ratings can be changed after the last one of an iteration"),
    ON_FAILURE(
            Group.REWARDS,
            choice(OnFailure.class).by(t -> t.episodes().onFailure()),
            "when an evaluation fails: reweight the other episodes, evaluate a replacement, or stop"),
    ITERATIONS(Group.TASK, count("COUNT", 1).or(500).changeable().basic(), "iterations to train"),
    BATCH(Group.TASK, count("N", 1).by(t -> t.episodes().batch()).basic(), "N, the episodes sampled per iteration"),
    SELECT(
            Group.TASK,
            pace().by(t -> t.episodes().select()).basic(),
            "n, the episodes evaluated per iteration; auto, for kq-bayes: as few as its belief about rewards allows"),
    SEED(Group.TASK, whole("SEED").or(1).basic(), "random seed; the same seed repeats a run to the last bit"),
    OUT(Group.RUN, text("DIR").perCall().basic(), "run directory (default: a new one under runs/)"),
    THREADS(
            Group.RUN,
            count("K", 1).changeable().basic(),
            "number of threads (default: all cores); results do not depend on it"),
    CLUSTER(
            Group.CLUSTER,
            text("MASTER", Setting::requireAddress).perCall().basic(),
            "sample and compare episodes on Apache Spark: spark://HOST:7077, local-cluster[2,1,1024] or k8s://…; results do"
                    + " not depend on it"),
    CLUSTER_OPTIONS(
            Group.CLUSTER,
            text("KEY=VALUE,…").perCall(),
            "settings of Spark, such as spark.executor.cores=4,spark.executor.memory=8g"),
    CLUSTER_TIMEOUT(
            Group.CLUSTER,
            real("SECONDS", Range.POSITIVE).or(60.0).perCall(),
            "how long a worker may be silent before its work moves to others"),
    REWARD_ON(
            Group.CLUSTER, choice(Place.class).or(Place.HERE).perCall(), "where exec: and java: rewards are computed"),
    CLASSPATH(
            Group.RUN,
            classPath().changeable(),
            "jars and folders with your own tasks and rewards, separated by '" + File.pathSeparator
                    + "'; PGKQ_CLASSPATH does the same, but is not kept with the run"),
    PYTHON(
            Group.RUN,
            text("PATH").changeable().basic(),
            "Python for environments and rewards written in it (default: that of the active virtual environment, or else python3)"),
    ENV_TIMEOUT(
            Group.RUN,
            real("SECONDS", Range.POSITIVE).changeable(),
            "longest time that a step of environments in Python may take (default: 300)"),
    MUJOCO(Group.RUN, text("PATH").perCall(), "MuJoCo library (default: search for it)"),
    KEEP_EPISODES(
            Group.RUN,
            real("MB", Range.NOT_NEGATIVE).or(100.0).changeable(),
            "disk space for replays of the newest episodes; 0 keeps none"),
    EVALUATE_EVERY(
            Group.RUN,
            count("K", 1).changeable(),
            "after every K iterations play the policy without its noise, by the task's reward, which training does not see,"
                    + " and keep the best policy in best.safetensors (default: never)"),
    EVALUATE_EPISODES(Group.RUN, count("M", 1).or(10).changeable(), "episodes of each such evaluation"),
    TENSORBOARD(Group.RUN, flag().or(false).changeable(), "also write event files for TensorBoard"),

    DISCOUNT(
            Group.ADVANTAGES,
            real("GAMMA", Range.UP_TO_ONE).by(t -> t.advantage().discount()),
            "discount of rewards"),
    ESTIMATOR(
            Group.ADVANTAGES,
            choice(AdvantageForm.class).by(t -> t.advantage().estimator()),
            "form of the advantage: bootstrap, R - V with V in place of what a time limit cuts off; e1, R - V; e2, the"
                    + " paper's, bootstrapped from the last state in any case"),
    STEP_DISCOUNT(
            Group.ADVANTAGES,
            flag().by(t -> t.advantage().stepDiscount()),
            "weight step t by GAMMA^t, as in the paper's formulas"),
    STANDARDIZE(
            Group.ADVANTAGES, flag().by(t -> t.advantage().standardize()), "scale advantages to mean 0 and variance 1"),
    HIDDEN(
            Group.POLICY,
            layers().by(t -> t.hidden().units()),
            "units of the hidden layers of the policy and of the value function"),
    ACTIVATION(Group.POLICY, choice(Activation.class).by(t -> t.hidden().activation()), "activation of these layers"),
    NORMALIZE_OBSERVATIONS(
            Group.POLICY,
            flag().by(t -> t.networks().normalizeObservations()),
            "let all networks see observations in units of their mean and deviation in earlier iterations"),
    CLIP(
            Group.POLICY,
            real("EPSILON", Range.BELOW_ONE).by(t -> t.policy().clip()).onlyFor(Relevance.PPO),
            "PPO only: bound on the change of the probability ratio"),
    EPOCHS(
            Group.POLICY,
            count("COUNT", 1).by(t -> t.policy().ascent().minibatches().epochs()),
            "passes over the samples per policy step"),
    MINIBATCHES(
            Group.POLICY,
            count("COUNT", 1).by(t -> t.policy().ascent().minibatches().count()),
            "updates per pass; their number is fixed, not their size"),
    LEARNING_RATE(
            Group.POLICY,
            real("RATE", Range.POSITIVE).by(t -> t.policy().ascent().learningRate()),
            "learning rate of Adam"),
    LEARNING_RATE_SCHEDULE(
            Group.POLICY,
            choice(Schedule.class).or(Schedule.CONSTANT),
            "how the policy's learning rate changes: linear, in equal steps towards 0 over all iterations"),
    ENTROPY(
            Group.POLICY,
            real("FACTOR", Range.NOT_NEGATIVE).by(t -> t.policy().ascent().entropyBonus()),
            "weight of the entropy bonus; the objective is a sum over the steps of an episode, so the bonus per step is this"
                    + " divided by the episode's length"),
    MAX_GRAD_NORM(
            Group.POLICY,
            real("NORM", Range.POSITIVE_OR_INFINITE).by(t -> t.policy().ascent().maxGradientNorm()),
            "scale larger gradients of that sum down to this norm"),
    VALUE_EPOCHS(
            Group.BASELINE,
            count("COUNT", 1).by(t -> t.baseline().minibatches().epochs()),
            "passes over the samples per fit"),
    VALUE_MINIBATCHES(
            Group.BASELINE, count("COUNT", 1).by(t -> t.baseline().minibatches().count()), "updates per pass"),
    VALUE_LEARNING_RATE(
            Group.BASELINE, real("RATE", Range.POSITIVE).by(t -> t.baseline().learningRate()), "learning rate of Adam"),

    TARGETS(
            Group.BASELINE,
            choice(TargetUnits.class).by(t -> t.targets()),
            "units in which V, the reward model and the kernel are fitted: standardized, so that the unit of rewards does"
                    + " not matter; raw, as in the paper"),

    QUADRATURE(
            Group.SELECTION,
            choice(Quadrature.class).by(t -> t.selection().quadrature()),
            "rule that selects n of N episodes: " + String.join(", ", Words.all(Quadrature.class))),
    REWEIGHT(
            Group.SELECTION,
            choice(SelectionSettings.Reweight.class).by(t -> t.selection().reweight()),
            "weights of the selected episodes: simplex, the best that are nonnegative and sum to 1; none, the rule's own"
                    + " (pursuit and search always use simplex)"),
    KERNEL(
            Group.SELECTION,
            choice(SelectionSettings.Kernel.class).by(t -> t.selection().kernel()),
            "quantity whose error is kept small: score, the policy gradient; scalar, the sum of advantages"),
    SCORE_DIMENSIONS(
            Group.SELECTION,
            count("d", 0, 100_000).by(t -> t.selection().scoreDimensions()).onlyFor(Relevance.SCORES),
            "score kernel and kq-bayes: dimensions that scores are projected to; 0 uses them whole, for tiny batches"),
    QUADRATURE_NOISE(
            Group.SELECTION,
            choice(SelectionSettings.Noise.class).by(t -> t.selection().noise()),
            "whether the selection includes the kernel's noise"),
    GRAM(
            Group.SELECTION,
            choice(SelectionSettings.Gram.class).by(t -> t.selection().gram()),
            "how the kernel between episodes is computed; features approximates it, for large batches"),
    GRAM_FEATURES(
            Group.SELECTION,
            even("m", 2, 100_000).by(t -> t.selection().gramFeatures()),
            "number of random features with --gram features; even"),
    KERNEL_SCALE(
            Group.KERNEL,
            real("LAMBDA", Range.LOGARITHM).by(t -> t.kernel().scale()),
            "initial logarithm of the scale, if residuals have mean square 1"),
    KERNEL_NOISE(
            Group.KERNEL,
            real("SIGMA", Range.LOGARITHM).by(t -> t.kernel().noise()),
            "initial logarithm of the noise, if residuals have mean square 1"),
    KERNEL_GAIN(
            Group.KERNEL, real("GAIN", Range.POSITIVE).by(t -> t.kernel().gain()), "initial spread of the features"),
    KERNEL_POINTS(Group.KERNEL, count("M", 2, 10_000).by(t -> t.kernel().points()), "steps in a minibatch"),
    KERNEL_UPDATES(
            Group.KERNEL,
            updates(1_000_000).by(t -> t.kernel().updates()),
            "minibatches per fit; pass: as many as one pass over the evaluated steps needs"),
    KERNEL_LEARNING_RATE(
            Group.KERNEL, real("RATE", Range.POSITIVE).by(t -> t.kernel().learningRate()), "learning rate of Adam"),
    CORRECTION(
            Group.MODEL,
            choice(TrainSettings.Correction.class).by(t -> t.model().correction()),
            "form in which evaluated rewards correct the model: matched, that of the estimator; paper, plain returns"),
    MEAN_EPOCHS(
            Group.MODEL,
            count("COUNT", 1).by(t -> t.model().mean().minibatches().epochs()),
            "passes over the evaluated rewards per fit"),
    MEAN_MINIBATCHES(
            Group.MODEL,
            count("COUNT", 1).by(t -> t.model().mean().minibatches().count()),
            "updates per pass"),
    MEAN_LEARNING_RATE(
            Group.MODEL,
            real("RATE", Range.POSITIVE).by(t -> t.model().mean().learningRate()),
            "learning rate of Adam"),
    REWARD_MEMORY(
            Group.MODEL,
            count("K", 0, 1_000_000).by(t -> t.model().mean().memory()),
            "also learn from the rewards of the last K iterations"),
    LEARN(
            Group.MODEL,
            choice(TrainSettings.Learn.class).by(t -> t.model().learn()),
            "learn from new rewards before or after the policy step");

    /** Where rewards are computed. */
    enum Place {
        HERE,
        CLUSTER
    }

    /** Whether a task has a reward of its own. */
    enum TaskRewards {
        OWN,
        NONE
    }

    /** How a learning rate changes. */
    enum Schedule {
        CONSTANT,
        LINEAR
    }

    private static final JsonMapper JSON = new JsonMapper();

    static final String DEFAULT_ALGORITHM = "ppo-kq";

    private final String key = Words.of(this);
    private final Group group;
    private final SettingSpec spec;
    private final String description;

    Setting(Group group, SettingSpec spec, String description) {
        this.group = group;
        this.spec = spec;
        this.description = description;
    }

    private static void requireTask(String text) {
        SettingSpec.require(!text.isEmpty(), "a task, such as Hopper-v4");
    }

    private static void requireObject(String text) {
        try {
            SettingSpec.require(text.isEmpty() || JSON.readTree(text).isObject(), "a JSON object");
        } catch (JacksonException e) {
            throw new IllegalArgumentException("a JSON object", e);
        }
    }

    private static void requireAddress(String text) {
        SettingSpec.require(!text.isEmpty(), "an address, such as spark://HOST:7077");
    }

    public static Optional<Setting> named(String key) {
        return Arrays.stream(values())
                .filter(setting -> setting.key.equals(key))
                .findFirst();
    }

    public static List<String> keys() {
        return Arrays.stream(values()).map(Setting::key).toList();
    }

    public String key() {
        return key;
    }

    Group group() {
        return group;
    }

    String description() {
        return description;
    }

    SettingSpec spec() {
        return spec;
    }

    Relevance relevance() {
        return spec.relevance().orElse(group.relevance);
    }
}
