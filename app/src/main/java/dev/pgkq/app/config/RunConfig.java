package dev.pgkq.app.config;

import dev.pgkq.app.config.Setting.Scope;
import dev.pgkq.app.trace.TraceWriter;
import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.gradient.SurrogateAscent;
import dev.pgkq.model.RewardModel;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.purchase.OnFailure;
import dev.pgkq.quadrature.Quadrature;
import dev.pgkq.reward.Grain;
import dev.pgkq.reward.TaskReward;
import dev.pgkq.rewards.cluster.ClusterSettings;
import dev.pgkq.rewards.oracle.Evaluators;
import dev.pgkq.rewards.people.PeopleSettings;
import dev.pgkq.rewards.people.Rating;
import dev.pgkq.rewards.people.RatingScale;
import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.SelectionSettings;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.TrainSettings.Preset;
import dev.pgkq.train.Variant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The settings of a run, each with a value. */
public final class RunConfig {
    private static final int LARGEST_LOGARITHM = 50;
    private static final int MOST_DIMENSIONS = 100_000;
    private static final int MOST_POINTS = 10_000;
    private static final int MOST_RATERS = 100;
    private static final int MOST_UPDATES = 1_000_000;

    private final Map<Setting, Given> given;
    private final Preset preset;
    private final Optional<TaskReward> reward;
    private final boolean human;
    private final Grain grain;
    private final Algorithm algorithm;
    private final TrainSettings defaults;

    /**
     * A value somebody gave.
     *
     * @param text the value
     * @param origin how he would recognise it: {@code --batch}, or {@code batch in experiment.yaml}
     */
    public record Given(String text, String origin) {}

    /** Settings from several places; where two give the same, the later place wins. */
    @SafeVarargs
    public static RunConfig of(Map<Setting, Given>... places) {
        Map<Setting, Given> merged = new EnumMap<>(Setting.class);
        for (Map<Setting, Given> place : places) {
            merged.putAll(place);
        }
        return new RunConfig(merged);
    }

    private RunConfig(Map<Setting, Given> given) {
        this.given = given;
        Algorithm any = Algorithm.named("ppo");
        Given chosen = given.get(Setting.PRESET);
        this.preset = chosen == null ? Preset.STANDARD : choice(Setting.PRESET, chosen.text(), Preset.class);
        Given paid = given.get(Setting.REWARD);
        this.human = paid != null && isHuman(paid.text());
        this.reward = builtIn(paid == null ? Words.of(TaskReward.BUILTIN) : paid.text());
        Given per = given.get(Setting.REWARD_PER);
        Grain told = human ? Grain.EPISODE : Grain.STEP;
        this.grain = reward.map(TaskReward::grain)
                .orElseGet(() -> human || per == null ? told : choice(Setting.REWARD_PER, per.text(), Grain.class));
        Given named = given.get(Setting.ALGO);
        this.algorithm = Algorithm.named(named == null ? Setting.ALGO.fallback(preset, any, Grain.STEP) : named.text());
        this.defaults = TrainSettings.defaults(preset, algorithm, grain, 0);
        if (preset == Preset.PAPER && algorithm.variant() == Variant.KQ_PLUS) {
            throw new UserException(origin(Setting.PRESET) + " paper does not go with " + algorithm.id()
                    + ", which is not in the paper: leave it out, or take "
                    + algorithm.id().replace("-plus", ""));
        }
        for (Setting setting : Setting.values()) {
            requireKind(setting);
        }
    }

    private Optional<TaskReward> builtIn(String text) {
        Optional<TaskReward> found = Arrays.stream(TaskReward.values())
                .filter(value -> Words.of(value).equals(text.strip().toLowerCase(Locale.ROOT)))
                .findFirst();
        if (found.isEmpty() && !isHuman(text) && !Evaluators.knows(text.strip())) {
            throw new UserException(origin(Setting.REWARD) + " needs one of "
                    + String.join(", ", Words.all(TaskReward.class))
                    + ", human, or exec:COMMAND, http://ADDRESS, https://ADDRESS, java:CLASS, files:FOLDER, got '"
                    + Excerpt.first(text) + "'");
        }
        return found;
    }

    private static boolean isHuman(String text) {
        return text.strip().equalsIgnoreCase(PeopleSettings.REWARD);
    }

    /** What was given and does nothing with this algorithm and reward, as people would recognise it. */
    public List<String> withoutEffect() {
        return given.entrySet().stream()
                .filter(entry -> !entry.getKey().appliesTo(algorithm)
                        || (reward.isPresent() && entry.getKey().isForRewardsFromOutside())
                        || (!human && entry.getKey().isForPeople())
                        || (human && entry.getKey().isForPrograms()))
                .map(entry -> entry.getValue().origin())
                .toList();
    }

    private void requireKind(Setting setting) {
        if (text(setting).isEmpty()) {
            return;
        }
        switch (setting.kind) {
            case TEXT -> {}
            case WHOLE -> whole(setting);
            case REAL -> real(setting);
            case FLAG -> flag(setting);
            case CHOICE -> requireChoice(setting, text(setting));
        }
    }

    private String requireChoice(Setting setting, String text) {
        String word = text.strip().toLowerCase(Locale.ROOT);
        if (!setting.choices().contains(word)) {
            throw new UserException(origin(setting) + " needs one of " + String.join(", ", setting.choices())
                    + ", got '" + Excerpt.first(text) + "'");
        }
        return word;
    }

    private <E extends Enum<E>> E choice(Setting setting, String text, Class<E> type) {
        String word = requireChoice(setting, text);
        return Arrays.stream(type.getEnumConstants())
                .filter(value -> Words.of(value).equals(word))
                .findFirst()
                .orElseThrow();
    }

    private <E extends Enum<E>> E choice(Setting setting, Class<E> type) {
        return choice(setting, text(setting), type);
    }

    public String text(Setting setting) {
        Given value = given.get(setting);
        if (value != null) {
            return value.text();
        }
        if (setting.isForPeople() && !human) {
            return "";
        }
        String fallback = setting.fallback(defaults);
        return switch (setting) {
            // A small trial batch should not need a second option to go with it.
            case SELECT ->
                given.containsKey(Setting.BATCH)
                        ? Long.toString(Math.clamp(whole(Setting.BATCH), 1, Long.parseLong(fallback)))
                        : fallback;
            case REWARD_NOISE -> PlainNumber.of(reward.map(TaskReward::noise).orElse(0.0));
            default -> fallback;
        };
    }

    /** Whether the setting has a value: given, or by default. */
    public boolean has(Setting setting) {
        return !text(setting).isEmpty();
    }

    private String origin(Setting setting) {
        Given value = given.get(setting);
        return value == null ? "--" + setting.key : value.origin();
    }

    private UserException wrong(Setting setting, String needs) {
        return new UserException(origin(setting) + " needs " + needs + ", got '" + Excerpt.first(text(setting)) + "'");
    }

    public long whole(Setting setting) {
        try {
            return Long.parseLong(text(setting).strip());
        } catch (NumberFormatException e) {
            throw wrong(setting, "a whole number");
        }
    }

    /** A whole number of at least {@code least} that fits an int. */
    public int count(Setting setting, int least) {
        long value = whole(setting);
        if (value < least || value > Integer.MAX_VALUE) {
            throw wrong(
                    setting,
                    "a whole number of at least " + least + (value < least ? "" : " and at most " + Integer.MAX_VALUE));
        }
        return (int) value;
    }

    private double real(Setting setting) {
        try {
            double value = Double.parseDouble(text(setting).strip());
            if (!Double.isNaN(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            // reported below, like a NaN
        }
        throw wrong(setting, "a number");
    }

    private double positive(Setting setting) {
        double value = real(setting);
        if (value <= 0) {
            throw wrong(setting, "a number above 0");
        }
        if (Double.isInfinite(value) && setting != Setting.MAX_GRAD_NORM) {
            throw wrong(setting, "a finite number");
        }
        return value;
    }

    public boolean flag(Setting setting) {
        return switch (text(setting).strip().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw wrong(setting, "true or false");
        };
    }

    /** What the trainer needs of it. */
    public TrainSettings trainSettings() {
        int batch = count(Setting.BATCH, 1);
        int select = count(Setting.SELECT, 1);
        if (select > batch) {
            throw new UserException(origin(Setting.SELECT) + " " + select + " is more than " + origin(Setting.BATCH)
                    + " " + batch + ": only sampled episodes can be paid for; give a larger batch or select fewer");
        }
        if (batch > TrainSettings.LARGEST_KERNEL_BATCH && algorithm.variant().choosesByKernel()) {
            throw new UserException(origin(Setting.BATCH) + " " + batch + " is too large for " + algorithm.id()
                    + ", whose matrix of all pairs of episodes has to fit into one array: give at most --batch "
                    + TrainSettings.LARGEST_KERNEL_BATCH);
        }
        double discount = real(Setting.DISCOUNT);
        if (!(discount > 0 && discount <= 1)) {
            throw wrong(Setting.DISCOUNT, "a number above 0, up to 1");
        }
        double clip = real(Setting.CLIP);
        if (!(clip > 0 && clip < 1)) {
            throw wrong(Setting.CLIP, "a number between 0 and 1");
        }
        double entropy = real(Setting.ENTROPY);
        if (entropy < 0) {
            throw wrong(Setting.ENTROPY, "a number of at least 0");
        }
        if (grain == Grain.EPISODE && choice(Setting.ESTIMATOR, AdvantageForm.class) != AdvantageForm.E1) {
            throw new UserException(origin(Setting.ESTIMATOR) + " e2 does not go with one score for a whole episode: it"
                    + " looks at what comes before the last step, and that is where the score comes. Leave it out, or"
                    + " take e1");
        }
        if (grain == Grain.EPISODE && discount < 1 && !flag(Setting.STEP_DISCOUNT)) {
            throw new UserException(origin(Setting.DISCOUNT) + " " + text(Setting.DISCOUNT)
                    + " with one number for a whole episode goes with --step-discount only: without it late steps would count"
                    + " the more the later they are. Leave it out, or add --step-discount");
        }
        if (choice(Setting.REWARD_PER, Grain.class) != grain) {
            throw new UserException(origin(Setting.REWARD_PER) + " " + text(Setting.REWARD_PER) + " does not go with "
                    + text(Setting.REWARD) + ", which tells "
                    + (grain == Grain.STEP ? "the reward of every step" : "one number for an episode")
                    + ": leave it out");
        }
        return new TrainSettings(
                algorithm,
                whole(Setting.SEED),
                new TrainSettings.Episodes(batch, select, grain, choice(Setting.ON_FAILURE, OnFailure.class)),
                new TrainSettings.Advantage(
                        discount,
                        choice(Setting.ESTIMATOR, AdvantageForm.class),
                        flag(Setting.STEP_DISCOUNT),
                        flag(Setting.STANDARDIZE)),
                new TrainSettings.Policy(
                        clip,
                        new SurrogateAscent.Settings(
                                new Minibatches(count(Setting.EPOCHS, 1), count(Setting.MINIBATCHES, 1)),
                                positive(Setting.LEARNING_RATE),
                                entropy,
                                positive(Setting.MAX_GRAD_NORM))),
                new TrainSettings.Baseline(
                        new Minibatches(count(Setting.VALUE_EPOCHS, 1), count(Setting.VALUE_MINIBATCHES, 1)),
                        positive(Setting.VALUE_LEARNING_RATE)),
                new SelectionSettings(
                        choice(Setting.QUADRATURE, Quadrature.class),
                        choice(Setting.REWEIGHT, SelectionSettings.Reweight.class),
                        choice(Setting.KERNEL, SelectionSettings.Kernel.class),
                        count(Setting.SCORE_DIMENSIONS, 0, MOST_DIMENSIONS),
                        choice(Setting.QUADRATURE_NOISE, SelectionSettings.Noise.class),
                        choice(Setting.GRAM, SelectionSettings.Gram.class),
                        even(Setting.GRAM_FEATURES)),
                new DeepKernel.Settings(
                        logarithm(Setting.KERNEL_SCALE),
                        logarithm(Setting.KERNEL_NOISE),
                        positive(Setting.KERNEL_GAIN),
                        count(Setting.KERNEL_POINTS, 2, MOST_POINTS),
                        count(Setting.KERNEL_UPDATES, 0, MOST_UPDATES),
                        positive(Setting.KERNEL_LEARNING_RATE)),
                new TrainSettings.Model(
                        new RewardModel.Settings(
                                new Minibatches(count(Setting.MEAN_EPOCHS, 1), count(Setting.MEAN_MINIBATCHES, 1)),
                                positive(Setting.MEAN_LEARNING_RATE),
                                count(Setting.REWARD_MEMORY, 0, MOST_UPDATES)),
                        choice(Setting.LEARN, TrainSettings.Learn.class),
                        choice(Setting.CORRECTION, TrainSettings.Correction.class)));
    }

    /** What is paid for, unless that comes from outside. */
    public Optional<TaskReward> reward() {
        return reward;
    }

    /** The reward whose mean is shown, of all episodes. */
    public TaskReward monitored() {
        return reward.orElse(TaskReward.BUILTIN);
    }

    /** What of the episodes is kept. People can judge only what they see, and compare with what they saw. */
    public TraceWriter.Keeping keeping() {
        long bytes = Math.round(1e6 * notNegative(Setting.KEEP_EPISODES, 0));
        if (human && bytes == 0) {
            throw new UserException(origin(Setting.KEEP_EPISODES)
                    + " 0 leaves people nothing to watch: leave it out, or give at least 1 with --reward human");
        }
        boolean compared = human && choice(Setting.RATING, Rating.class) == Rating.COMPARE;
        return new TraceWriter.Keeping(bytes, compared ? PeopleSettings.COMPARED_ITERATIONS : 1, human);
    }

    /** How people are asked, if they are. */
    public Optional<PeopleSettings> people() {
        if (!human) {
            return Optional.empty();
        }
        RatingScale scale;
        try {
            scale = RatingScale.parse(text(Setting.RATING_SCALE));
        } catch (UserException e) {
            throw new UserException(origin(Setting.RATING_SCALE) + ": " + e.getMessage(), e);
        }
        PeopleSettings settings = PeopleSettings.defaults(choice(Setting.RATING, Rating.class), scale)
                .withRaters(count(Setting.RATERS_PER_EPISODE, 1, MOST_RATERS))
                .withGrace(duration(notNegative(Setting.RATING_GRACE)));
        return Optional.of(
                has(Setting.REWARD_TIMEOUT)
                        ? settings.withTimeout(duration(positive(Setting.REWARD_TIMEOUT)))
                        : settings);
    }

    private static Duration duration(double seconds) {
        return Duration.ofMillis(Math.max(seconds > 0 ? 1 : 0, Math.round(1e3 * seconds)));
    }

    /** What an oracle tells of an episode. */
    public Grain grain() {
        return grain;
    }

    /** Standard deviation of the noise in it. */
    public double rewardNoise() {
        double value = notNegative(Setting.REWARD_NOISE);
        if (value > 0 && reward.isEmpty()) {
            throw new UserException(
                    origin(Setting.REWARD_NOISE) + " does not go with rewards from outside: leave it out");
        }
        return value;
    }

    /** A setting that nobody needs to give: a number of at least 1, or {@code otherwise}. */
    public int countOr(Setting setting, int otherwise) {
        return has(setting) ? count(setting, 1) : otherwise;
    }

    /** How many episodes may be paid for. */
    public long maxEvaluations() {
        return has(Setting.MAX_EVALUATIONS) ? count(Setting.MAX_EVALUATIONS, 1) : Long.MAX_VALUE;
    }

    /** A setting that nobody needs to give: a number above 0, or {@code otherwise}. */
    public double positive(Setting setting, double otherwise) {
        return has(setting) ? positive(setting) : otherwise;
    }

    /** A setting that nobody needs to give: a finite number of at least 0, or {@code otherwise}. */
    public double notNegative(Setting setting, double otherwise) {
        return has(setting) ? notNegative(setting) : otherwise;
    }

    private double notNegative(Setting setting) {
        double value = real(setting);
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw wrong(setting, "a number of at least 0");
        }
        return value;
    }

    /** The logarithm of something that must neither vanish nor overflow. */
    private double logarithm(Setting setting) {
        double value = real(setting);
        if (Math.abs(value) > LARGEST_LOGARITHM) {
            throw wrong(setting, "a number between -" + LARGEST_LOGARITHM + " and " + LARGEST_LOGARITHM);
        }
        return value;
    }

    private int count(Setting setting, int least, int most) {
        int value = count(setting, least);
        if (value > most) {
            throw wrong(setting, "a whole number from " + least + " to " + most);
        }
        return value;
    }

    private int even(Setting setting) {
        int value = count(setting, 2, MOST_DIMENSIONS);
        if (value % 2 != 0) {
            throw wrong(setting, "an even number");
        }
        return value;
    }

    /** Refuses to go on with a run as something else than it is. */
    public void requireSameRun(RunConfig saved) {
        for (Setting setting : Setting.values()) {
            if (setting.scope == Scope.OF_THE_RUN
                    && setting.appliesTo(algorithm)
                    && !saved.canonical(setting).equals(canonical(setting))) {
                throw new UserException(
                        "the run was begun with " + setting.key + " " + saved.canonical(setting) + ", not "
                                + canonical(setting) + ": leave out " + origin(setting)
                                + " to go on with it, or give another --out to start a new run");
            }
        }
    }

    /** What the run is, by key: two runs that agree in all of this compute the same. */
    public Map<String, String> identity() {
        Map<String, String> values = new LinkedHashMap<>();
        for (Setting setting : Setting.values()) {
            if (setting.scope == Scope.OF_THE_RUN && setting.appliesTo(algorithm)) {
                values.put(setting.key, canonical(setting));
            }
        }
        return values;
    }

    /** What has to be said, besides task, algorithm and seed, to get this run: settings that are not at their default. */
    public Map<String, String> choices() {
        RunConfig none = new RunConfig(Map.of());
        RunConfig usual = only(Setting.ENV, Setting.ALGO, Setting.PRESET, Setting.REWARD);
        RunConfig sized = only(Setting.ENV, Setting.ALGO, Setting.PRESET, Setting.REWARD, Setting.BATCH);
        Map<String, String> values = identity();
        values.keySet().removeAll(List.of(Setting.ENV.key, Setting.ALGO.key, Setting.SEED.key));
        values.entrySet().removeIf(entry -> {
            Setting setting = Setting.named(entry.getKey()).orElseThrow();
            RunConfig implied = switch (setting) {
                case PRESET, REWARD -> none;
                case BATCH -> usual;
                default -> sized;
            };
            return implied.canonical(setting).equals(entry.getValue());
        });
        return values;
    }

    /** What was given of how rewards from outside are asked for and what may be spent on them, but for where they are kept. */
    public Map<String, String> conditions() {
        Map<String, String> values = new LinkedHashMap<>();
        for (Setting setting : Setting.values()) {
            if ((setting == Setting.MAX_EVALUATIONS || setting.isForRewardsFromOutside())
                    && setting != Setting.LEDGER
                    && given.containsKey(setting)
                    && has(setting)) {
                values.put(setting.key, canonical(setting));
            }
        }
        return values;
    }

    private RunConfig only(Setting... settings) {
        Map<Setting, Given> kept = new EnumMap<>(Setting.class);
        kept.putAll(given);
        kept.keySet().retainAll(List.of(settings));
        return new RunConfig(kept);
    }

    public Algorithm algorithm() {
        return algorithm;
    }

    /** How a cluster is used, if one is. */
    public Optional<ClusterSettings> cluster() {
        boolean rewards = switch (text(Setting.REWARD_ON).strip().toLowerCase(Locale.ROOT)) {
            case "here" -> false;
            case "cluster" -> true;
            default -> throw wrong(Setting.REWARD_ON, "here or cluster");
        };
        if (given.containsKey(Setting.CLUSTER) && text(Setting.CLUSTER).isBlank()) {
            throw wrong(Setting.CLUSTER, "an address, such as spark://HOST:7077");
        }
        if (!has(Setting.CLUSTER)) {
            if (rewards) {
                throw new UserException(origin(Setting.REWARD_ON) + " cluster needs --cluster MASTER");
            }
            for (Setting option : List.of(Setting.CLUSTER_OPTIONS, Setting.CLUSTER_TIMEOUT)) {
                if (given.containsKey(option)) {
                    throw new UserException(
                            origin(option) + " goes with --cluster MASTER only: leave it out, or say which");
                }
            }
            return Optional.empty();
        }
        if (rewards && !Evaluators.runsAnywhere(text(Setting.REWARD).strip())) {
            throw new UserException(
                    origin(Setting.REWARD_ON) + " cluster goes with --reward exec: and java: only, not with "
                            + Excerpt.first(text(Setting.REWARD)) + ": leave it out");
        }
        return Optional.of(ClusterSettings.of(
                text(Setting.CLUSTER),
                text(Setting.CLUSTER_OPTIONS),
                duration(positive(Setting.CLUSTER_TIMEOUT)),
                rewards));
    }

    /** The options that say where it is computed: to be given again when the run goes on. */
    public List<String> clusterWords() {
        List<String> words = new ArrayList<>();
        for (Setting setting :
                List.of(Setting.CLUSTER, Setting.CLUSTER_OPTIONS, Setting.CLUSTER_TIMEOUT, Setting.REWARD_ON)) {
            if (given.containsKey(setting) && has(setting)) {
                words.addAll(List.of("--" + setting.key, text(setting)));
            }
        }
        return words;
    }

    /** Made again from {@link #identity}: all that results depend on. */
    public static RunConfig ofValues(Map<String, String> values) {
        Map<Setting, Given> given = new EnumMap<>(Setting.class);
        values.forEach((key, text) -> given.put(Setting.named(key).orElseThrow(), new Given(text, "--" + key)));
        return new RunConfig(given);
    }

    /** All settings that a run directory keeps, in the order of the table. */
    Map<Setting, String> resolved() {
        Map<Setting, String> values = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            if (setting.scope != Scope.OF_THE_CALL && has(setting) && setting.appliesTo(algorithm)) {
                values.put(setting, canonical(setting));
            }
        }
        return values;
    }

    /** The value in one spelling: 3e-4 and 0.00030 are the same. */
    private String canonical(Setting setting) {
        if (!has(setting)) {
            return "";
        }
        return switch (setting.kind) {
            case TEXT -> text(setting).strip();
            case CHOICE -> requireChoice(setting, text(setting));
            case WHOLE -> Long.toString(whole(setting));
            case FLAG -> Boolean.toString(flag(setting));
            case REAL -> PlainNumber.of(real(setting));
        };
    }
}
