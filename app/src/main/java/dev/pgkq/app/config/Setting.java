package dev.pgkq.app.config;

import dev.pgkq.train.Algorithm;
import dev.pgkq.train.TrainSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Every setting of a training run: an option of the command line and a key of the YAML file, by the same name. */
public enum Setting {
    ENV("env", Kind.TEXT, "Hopper-v4", "ID", "task to train on; 'pgkq envs' lists them"),
    ALGO("algo", Kind.TEXT, "ppo-large", "NAME", "algorithm: " + String.join(", ", Algorithm.ids())),
    ITERATIONS("iterations", Kind.WHOLE, "500", "COUNT", "iterations to train", Scope.MAY_CHANGE),
    BATCH("batch", Kind.WHOLE, TrainSettings::batch, "N", "episodes of a large batch"),
    SELECT("select", Kind.WHOLE, TrainSettings::select, "n", "episodes paid for where not all of the batch is"),
    SEED("seed", Kind.WHOLE, "1", "SEED", "same seed, same run, to the last bit"),
    OUT("out", Kind.TEXT, "", "DIR", "run directory (default: a new one under runs/)", Scope.OF_THE_CALL),
    THREADS(
            "threads",
            Kind.WHOLE,
            "",
            "K",
            "threads (default: all cores); results do not depend on it",
            Scope.MAY_CHANGE),
    MUJOCO("mujoco", Kind.TEXT, "", "PATH", "MuJoCo library to use (default: look for it)", Scope.OF_THE_CALL),
    TENSORBOARD("tensorboard", Kind.FLAG, "false", "", "also write event files for TensorBoard", Scope.MAY_CHANGE),

    DISCOUNT("discount", Kind.REAL, TrainSettings::discount, "GAMMA", "discount of rewards"),
    ESTIMATOR(
            "estimator",
            Kind.TEXT,
            defaults -> defaults.estimator().name().toLowerCase(Locale.ROOT),
            "FORM",
            "advantage: e1, R - V; e2, bootstrapped from the last state"),
    STEP_DISCOUNT(
            "step-discount",
            Kind.FLAG,
            TrainSettings::stepDiscount,
            "",
            "weigh step t with GAMMA^t, as in the paper's formulas"),
    STANDARDIZE("standardize", Kind.FLAG, TrainSettings::standardize, "", "scale advantages to mean 0 and variance 1"),
    CLIP("clip", Kind.REAL, TrainSettings::clip, "EPSILON", "PPO: how far the probability ratio may move"),
    EPOCHS(
            "epochs",
            Kind.WHOLE,
            defaults -> defaults.policy().minibatches().epochs(),
            "COUNT",
            "passes over the samples per policy step"),
    MINIBATCHES(
            "minibatches",
            Kind.WHOLE,
            defaults -> defaults.policy().minibatches().count(),
            "COUNT",
            "updates per pass: their number is fixed, not their size"),
    LEARNING_RATE("learning-rate", Kind.REAL, defaults -> defaults.policy().learningRate(), "RATE", "Adam, policy"),
    ENTROPY(
            "entropy",
            Kind.REAL,
            defaults -> defaults.policy().entropyBonus(),
            "FACTOR",
            "entropy bonus; the objective is a sum over an episode's steps, so a bonus per step is this / length"),
    MAX_GRAD_NORM(
            "max-grad-norm",
            Kind.REAL,
            defaults -> defaults.policy().maxGradientNorm(),
            "NORM",
            "scale longer gradients of that sum down to this"),
    VALUE_EPOCHS(
            "value-epochs",
            Kind.WHOLE,
            defaults -> defaults.value().epochs(),
            "COUNT",
            "passes over the samples per fit of the baseline"),
    VALUE_MINIBATCHES(
            "value-minibatches",
            Kind.WHOLE,
            defaults -> defaults.value().count(),
            "COUNT",
            "updates per pass of the baseline"),
    VALUE_LEARNING_RATE("value-learning-rate", Kind.REAL, TrainSettings::valueLearningRate, "RATE", "Adam, baseline");

    /** What a value looks like. */
    enum Kind {
        TEXT,
        WHOLE,
        REAL,
        FLAG
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
    private final Function<TrainSettings, Object> fallback;
    final String label;
    final String description;
    final Scope scope;

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
        this.key = key;
        this.kind = kind;
        this.fallback = fallback;
        this.label = label;
        this.description = description;
        this.scope = scope;
    }

    public String key() {
        return key;
    }

    /** The value where none is given; some depend on the algorithm. Empty: there is none. */
    String fallback(Algorithm algorithm) {
        Object value = fallback.apply(TrainSettings.defaults(algorithm, 0));
        return value instanceof Double real ? PlainNumber.of(real) : value.toString();
    }

    /** The value where none is given, in words. */
    String fallbackInWords() {
        String ppo = fallback(Algorithm.named("ppo"));
        String vpg = fallback(Algorithm.named("vpg"));
        if (ppo.isEmpty()) {
            return "";
        }
        return " (default: " + ppo + (vpg.equals(ppo) ? "" : ", vpg: " + vpg) + ")";
    }

    static Optional<Setting> named(String key) {
        return Arrays.stream(values())
                .filter(setting -> setting.key.equals(key))
                .findFirst();
    }

    static List<String> keys() {
        return Arrays.stream(values()).map(Setting::key).toList();
    }
}
