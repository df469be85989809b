package dev.pgkq.app.config;

import dev.pgkq.app.config.Setting.Place;
import dev.pgkq.app.config.SettingSpec.Defaults;
import dev.pgkq.app.config.SettingSpec.Scope;
import dev.pgkq.app.trace.TraceWriter;
import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.gp.KernelUpdates;
import dev.pgkq.gradient.SurrogateAscent;
import dev.pgkq.model.RewardModel;
import dev.pgkq.nn.Activation;
import dev.pgkq.nn.HiddenLayers;
import dev.pgkq.nn.LearningRateSchedule;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.nn.TargetUnits;
import dev.pgkq.purchase.OnFailure;
import dev.pgkq.quadrature.Quadrature;
import dev.pgkq.reward.Grain;
import dev.pgkq.reward.TaskReward;
import dev.pgkq.rewards.cluster.ClusterSettings;
import dev.pgkq.rewards.oracle.Evaluators;
import dev.pgkq.rewards.people.PeopleSettings;
import dev.pgkq.rewards.people.Rating;
import dev.pgkq.rewards.people.RatingScale;
import dev.pgkq.select.Pace;
import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.SelectionSettings;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.TrainSettings.Preset;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The settings of a run, each with its value and where that was given. */
public final class RunConfig {
    /** Settings by which a run is named. */
    private static final Set<Setting> NAMED = EnumSet.of(Setting.ENV, Setting.ALGO, Setting.SEED);
    /** Settings that the defaults of others depend on. */
    private static final Set<Setting> SHAPING = EnumSet.of(Setting.ALGO, Setting.PRESET, Setting.REWARD, Setting.BATCH);

    private final Map<Setting, Given> given;
    private final Map<Setting, Object> values = new EnumMap<>(Setting.class);
    private final RewardChoice reward;
    private final Algorithm algorithm;
    private final Defaults defaults;
    private final boolean isGrainOpen;

    /**
     * A value that was given.
     *
     * @param text the value
     * @param origin where it was given, for messages: {@code --batch}, or {@code batch in experiment.yaml}
     */
    public record Given(String text, String origin) {}

    /** Settings from several places; where two give the same one, the later place wins. */
    @SafeVarargs
    public static RunConfig of(Map<Setting, Given>... places) {
        Map<Setting, Given> merged = new EnumMap<>(Setting.class);
        for (Map<Setting, Given> place : places) {
            merged.putAll(place);
        }
        return new RunConfig(merged, Optional.empty());
    }

    /** The same settings, once it is known what an external reward is given for. */
    public RunConfig withGrain(Grain grain) {
        return new RunConfig(given, Optional.of(grain));
    }

    /**
     * @param settled what an external reward is given for, if the first answer has shown it
     */
    private RunConfig(Map<Setting, Given> given, Optional<Grain> settled) {
        this.given = given;
        given.forEach((setting, value) -> read(setting, value).ifPresent(read -> values.put(setting, read)));
        this.reward = (RewardChoice) values.getOrDefault(Setting.REWARD, RewardChoice.BUILTIN);
        this.algorithm = Algorithm.named((String) values.getOrDefault(Setting.ALGO, Setting.DEFAULT_ALGORITHM));
        Preset preset = (Preset) values.getOrDefault(Setting.PRESET, Preset.STANDARD);
        Optional<Grain> ownGrain =
                reward.isHuman() ? Optional.of(Grain.EPISODE) : reward.ofTask().map(TaskReward::grain);
        RewardPer usualPer = ownGrain.map(RewardPer::of)
                .orElse(preset == Preset.PAPER || needsSteps() ? RewardPer.STEP : RewardPer.AUTO);
        RewardPer per = (RewardPer) values.getOrDefault(Setting.REWARD_PER, usualPer);
        this.isGrainOpen = ownGrain.isEmpty() && per == RewardPer.AUTO && settled.isEmpty() && !needsSteps();
        Grain grain = ownGrain.orElse(per.grain(settled.orElse(Grain.STEP)));
        TrainSettings train = TrainSettings.defaults(preset, algorithm, grain, 0);
        // a small trial batch should not need a second option to go with it
        Number batch =
                (Number) values.getOrDefault(Setting.BATCH, train.episodes().batch());
        this.defaults = new Defaults(
                train.withSelect(train.episodes().select().atMost(Math.max(1, batch.intValue()))), reward, usualPer);
    }

    /** Whether settings were given that only rewards of steps allow; see {@link #check}. */
    private boolean needsSteps() {
        boolean discountsReturns = (Double) values.getOrDefault(Setting.DISCOUNT, 1.0) < 1
                && !(Boolean) values.getOrDefault(Setting.STEP_DISCOUNT, false);
        return values.getOrDefault(Setting.ESTIMATOR, AdvantageForm.E1) != AdvantageForm.E1 || discountsReturns;
    }

    private static Optional<Object> read(Setting setting, Given given) {
        try {
            Object read = setting.spec().reader().apply(given.text().strip());
            return Optional.of(read).filter(value -> !value.equals(""));
        } catch (IllegalArgumentException e) {
            String got = ", got '" + Excerpt.first(given.text()) + "'";
            throw new UserException(given.origin() + " needs " + e.getMessage() + got, e);
        } catch (UserException e) {
            throw new UserException(given.origin() + ": " + e.getMessage(), e);
        }
    }

    private Optional<Object> value(Setting setting) {
        Optional<Object> value = Optional.ofNullable(values.get(setting));
        return value.isEmpty() && setting.relevance().appliesTo(reward)
                ? setting.spec().fallback().apply(defaults)
                : value;
    }

    <T> T value(Setting setting, Class<T> type) {
        return type.cast(value(setting).orElseThrow(() -> new IllegalStateException(setting.key() + " has no value")));
    }

    /** Whether the setting has a value: given, or by default. */
    public boolean has(Setting setting) {
        return value(setting).isPresent();
    }

    /** The value in its one spelling, 0.0003 for 3e-4; empty if there is none. */
    public String text(Setting setting) {
        return value(setting).map(SettingSpec::spelled).orElse("");
    }

    /** The value for messages and reports: without secrets in the address of a service. */
    public String shown(Setting setting) {
        return setting == Setting.REWARD ? Evaluators.shown(text(setting)) : text(setting);
    }

    public long whole(Setting setting) {
        return value(setting, Number.class).longValue();
    }

    /** A whole number whose range fits an int. */
    public int count(Setting setting) {
        return value(setting, Number.class).intValue();
    }

    /** The number, or {@code otherwise} if there is none. */
    public int countOr(Setting setting, int otherwise) {
        return has(setting) ? count(setting) : otherwise;
    }

    public double real(Setting setting) {
        return value(setting, Double.class);
    }

    /** The number, or {@code otherwise} if there is none. */
    public double realOr(Setting setting, double otherwise) {
        return has(setting) ? real(setting) : otherwise;
    }

    public boolean flag(Setting setting) {
        return value(setting, Boolean.class);
    }

    /** Whether another value than this one was given. */
    boolean isGivenOtherThan(Setting setting, Object value) {
        return !values.getOrDefault(setting, value).equals(value);
    }

    /** Whether the value was given on the command line, and not in a file. */
    public boolean isOnCommandLine(Setting setting) {
        return given.containsKey(setting) && origin(setting).equals("--" + setting.key());
    }

    private Duration duration(Setting setting) {
        double seconds = real(setting);
        return Duration.ofMillis(Math.max(seconds > 0 ? 1 : 0, Math.round(1e3 * seconds)));
    }

    private Minibatches minibatches(Setting epochs, Setting count) {
        return new Minibatches(count(epochs), count(count));
    }

    /** Where the value was given, for messages; the option if it was not. */
    String origin(Setting setting) {
        Given value = given.get(setting);
        return value == null ? "--" + setting.key() : value.origin();
    }

    /** How many episodes are evaluated in an iteration. */
    Pace pace() {
        Pace given = value(Setting.SELECT, Pace.class);
        return given instanceof Pace.Auto ? given.atMost(count(Setting.BATCH)) : given;
    }

    /** The settings of the trainer. Checks all settings against each other first. */
    public TrainSettings trainSettings() {
        new SettingChecks(this, reward).check();
        return new TrainSettings(
                algorithm,
                whole(Setting.SEED),
                new TrainSettings.Networks(hidden(), flag(Setting.NORMALIZE_OBSERVATIONS)),
                new TrainSettings.Episodes(
                        count(Setting.BATCH), pace(), grain(), value(Setting.ON_FAILURE, OnFailure.class)),
                new TrainSettings.Advantage(
                        real(Setting.DISCOUNT),
                        value(Setting.ESTIMATOR, AdvantageForm.class),
                        flag(Setting.STEP_DISCOUNT),
                        flag(Setting.STANDARDIZE)),
                new TrainSettings.Policy(
                        real(Setting.CLIP),
                        new SurrogateAscent.Settings(
                                minibatches(Setting.EPOCHS, Setting.MINIBATCHES),
                                real(Setting.LEARNING_RATE),
                                schedule(),
                                real(Setting.ENTROPY),
                                real(Setting.MAX_GRAD_NORM))),
                new TrainSettings.Baseline(
                        minibatches(Setting.VALUE_EPOCHS, Setting.VALUE_MINIBATCHES),
                        real(Setting.VALUE_LEARNING_RATE)),
                value(Setting.TARGETS, TargetUnits.class),
                new SelectionSettings(
                        value(Setting.QUADRATURE, Quadrature.class),
                        value(Setting.REWEIGHT, SelectionSettings.Reweight.class),
                        value(Setting.KERNEL, SelectionSettings.Kernel.class),
                        count(Setting.SCORE_DIMENSIONS),
                        value(Setting.QUADRATURE_NOISE, SelectionSettings.Noise.class),
                        value(Setting.GRAM, SelectionSettings.Gram.class),
                        count(Setting.GRAM_FEATURES)),
                new DeepKernel.Settings(
                        real(Setting.KERNEL_SCALE),
                        real(Setting.KERNEL_NOISE),
                        real(Setting.KERNEL_GAIN),
                        count(Setting.KERNEL_POINTS),
                        value(Setting.KERNEL_UPDATES, KernelUpdates.class),
                        real(Setting.KERNEL_LEARNING_RATE)),
                new TrainSettings.Model(
                        new RewardModel.Settings(
                                minibatches(Setting.MEAN_EPOCHS, Setting.MEAN_MINIBATCHES),
                                real(Setting.MEAN_LEARNING_RATE),
                                count(Setting.REWARD_MEMORY)),
                        value(Setting.LEARN, TrainSettings.Learn.class),
                        value(Setting.CORRECTION, TrainSettings.Correction.class)));
    }

    private HiddenLayers hidden() {
        List<?> units = value(Setting.HIDDEN, List.class);
        return new HiddenLayers(
                units.stream().map(Integer.class::cast).toList(), value(Setting.ACTIVATION, Activation.class));
    }

    private LearningRateSchedule schedule() {
        return switch (value(Setting.LEARNING_RATE_SCHEDULE, Setting.Schedule.class)) {
            case CONSTANT -> new LearningRateSchedule.Constant();
            case LINEAR -> new LearningRateSchedule.Linear(count(Setting.ITERATIONS));
        };
    }

    public Algorithm algorithm() {
        return algorithm;
    }

    /** The reward of the task that is trained on; empty for external rewards. */
    public Optional<TaskReward> reward() {
        return reward.ofTask();
    }

    /** Whether a value of {@code --reward} asks a program, a service, a class, a folder or people, and not the task. */
    public static boolean isExternalReward(String reward) {
        return !reward.isBlank()
                && !Words.all(TaskReward.class).contains(reward.strip().toLowerCase(Locale.ROOT));
    }

    /** Whether the task has a reward of its own, which can be shown. */
    public boolean hasTaskReward() {
        return values.get(Setting.TASK_REWARD) != Setting.TaskRewards.NONE;
    }

    /** The reward whose mean over all episodes is shown, if the task {@linkplain #hasTaskReward has one}. */
    public TaskReward monitored() {
        return reward().orElse(TaskReward.BUILTIN);
    }

    /** What an oracle reports of an episode; rewards of steps if that is {@linkplain #isGrainOpen open}. */
    public Grain grain() {
        return defaults.train().episodes().grain();
    }

    /** Whether the first answer will show what an external reward is given for. */
    public boolean isGrainOpen() {
        return isGrainOpen;
    }

    /** The most episodes that may be evaluated. */
    public long maxEvaluations() {
        return has(Setting.MAX_EVALUATIONS) ? whole(Setting.MAX_EVALUATIONS) : Long.MAX_VALUE;
    }

    /** Which episodes are kept. People can judge only what they see, and compare it only with what they saw. */
    public TraceWriter.Keeping keeping() {
        boolean compared = reward.isHuman() && value(Setting.RATING, Rating.class) == Rating.COMPARE;
        return new TraceWriter.Keeping(
                Math.round(1e6 * real(Setting.KEEP_EPISODES)),
                compared ? PeopleSettings.COMPARED_ITERATIONS : 1,
                reward.isHuman());
    }

    /** The rating settings; empty unless people rate. */
    public Optional<PeopleSettings> people() {
        if (!reward.isHuman()) {
            return Optional.empty();
        }
        PeopleSettings settings = PeopleSettings.defaults(
                        value(Setting.RATING, Rating.class), RatingScale.parse(text(Setting.RATING_SCALE)))
                .withRaters(count(Setting.RATERS_PER_EPISODE))
                .withGrace(duration(Setting.RATING_GRACE));
        return Optional.of(
                has(Setting.REWARD_TIMEOUT) ? settings.withTimeout(duration(Setting.REWARD_TIMEOUT)) : settings);
    }

    /** How a cluster is used; empty where none is. */
    public Optional<ClusterSettings> cluster() {
        if (!has(Setting.CLUSTER)) {
            return Optional.empty();
        }
        try {
            return Optional.of(ClusterSettings.of(
                    text(Setting.CLUSTER),
                    text(Setting.CLUSTER_OPTIONS),
                    duration(Setting.CLUSTER_TIMEOUT),
                    rewardsOnCluster()));
        } catch (UserException e) {
            throw new UserException(origin(Setting.CLUSTER_OPTIONS) + ": " + e.getMessage(), e);
        }
    }

    /** Whether rewards are computed on a cluster. */
    boolean rewardsOnCluster() {
        return value(Setting.REWARD_ON, Place.class) == Place.CLUSTER;
    }

    /** The settings given that say where a run is computed, by key; resuming it needs them again. */
    public Map<String, String> computedOn() {
        return texts(setting -> setting.group() == Group.CLUSTER && values.containsKey(setting));
    }

    /** The limits on evaluations that were given, by key. */
    public Map<String, String> limits() {
        return texts(setting -> setting.group() == Group.LIMITS && values.containsKey(setting));
    }

    /** Where settings were given that have no effect with this algorithm and reward. */
    public List<String> withoutEffect() {
        return given.entrySet().stream()
                .filter(entry -> !isRelevant(entry.getKey())
                        || !entry.getKey().relevance().appliesTo(reward))
                .map(entry -> entry.getValue().origin())
                .toList();
    }

    /** Whether the planned number of iterations changes each of them: a learning rate that falls, or a budget that is spread. */
    public boolean dependsOnIterations() {
        boolean spread = algorithm.variant().decidesHowMany() && pace() instanceof Pace.Auto;
        return schedule() instanceof LearningRateSchedule.Linear
                || (spread && (values.containsKey(Setting.MAX_EVALUATIONS) || values.containsKey(Setting.MAX_COST)));
    }

    /** What the run is, by key: two runs that agree in all of this compute the same. */
    public Map<String, String> identity() {
        return texts(this::isIdentity);
    }

    private boolean isIdentity(Setting setting) {
        return setting.spec().scope() == Scope.RUN && isRelevant(setting);
    }

    private boolean isRelevant(Setting setting) {
        return setting.relevance().appliesTo(algorithm);
    }

    private Map<String, String> texts(Predicate<Setting> which) {
        Map<String, String> texts = new LinkedHashMap<>();
        Arrays.stream(Setting.values()).filter(which).forEach(setting -> texts.put(setting.key(), shown(setting)));
        return texts;
    }

    /** Throws if these settings describe another run. */
    public void requireSameRun(RunConfig saved) {
        Stream<Setting> changed = Arrays.stream(Setting.values())
                .filter(this::isIdentity)
                .filter(setting -> !saved.text(setting).equals(text(setting)));
        changed.findFirst().ifPresent(setting -> {
            throw new UserException("the run was started with " + setting.key() + " " + saved.shown(setting) + ", not "
                    + shown(setting) + ": leave out " + origin(setting)
                    + " to resume it, or give another --out to start a new run");
        });
    }

    /** The settings that this run needs besides task, algorithm and seed: those that are not at their default. */
    public Map<String, String> choices() {
        return texts(setting -> isIdentity(setting)
                && !NAMED.contains(setting)
                && !usual(setting).text(setting).equals(text(setting)));
    }

    /** The defaults of a setting, given the others that defaults depend on. */
    private RunConfig usual(Setting setting) {
        Map<Setting, Given> kept = new EnumMap<>(Setting.class);
        kept.putAll(given);
        kept.keySet().retainAll(SHAPING);
        kept.remove(setting);
        return new RunConfig(kept, Optional.empty());
    }

    /**
     * All settings that a run directory keeps, in the order of the table. Where the first answer shows what rewards are given for,
     * defaults that depend on it are left out: a repetition of the run finds out again.
     */
    Map<Setting, String> resolved() {
        RunConfig ofSteps = withGrain(Grain.STEP);
        RunConfig ofEpisodes = withGrain(Grain.EPISODE);
        Map<Setting, String> kept = new EnumMap<>(Setting.class);
        Arrays.stream(Setting.values())
                .filter(setting -> setting.spec().scope() != Scope.CALL && has(setting) && isRelevant(setting))
                .filter(setting -> ofSteps.text(setting).equals(ofEpisodes.text(setting)))
                .forEach(setting -> kept.put(setting, text(setting)));
        return kept;
    }
}
