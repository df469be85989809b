package dev.pgkq.app.config;

import dev.pgkq.gp.KernelUpdates;
import dev.pgkq.nn.Activation;
import dev.pgkq.nn.HiddenLayers;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.select.Pace;
import dev.pgkq.train.TrainSettings;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/**
 * The attributes of a setting.
 *
 * @param label stands for a value in the help
 * @param reader makes a value of a text without white space around it; throws an {@link IllegalArgumentException} that
 *     says what is needed
 * @param isText whether any text may be a value, also one that looks like a number
 * @param fallback the default, if there is one
 * @param relevance the algorithms and rewards with which it has an effect; empty: those of its group
 * @param scope how long a value holds
 * @param isBasic whether the short help shows it
 */
record SettingSpec(
        String label,
        Function<String, Object> reader,
        boolean isText,
        Function<Defaults, Optional<Object>> fallback,
        Optional<Relevance> relevance,
        Scope scope,
        boolean isBasic) {

    private static final String TRUE_OR_FALSE = "true|false";
    private static final String AUTO = "auto";
    private static final String PASS = "pass";

    /** How long the value of a setting holds. */
    enum Scope {
        /** Part of what the run is; resuming it cannot change the value. */
        RUN,
        /** Kept with the run; resuming it may change the value. */
        CHANGEABLE,
        /** Not kept with the run. */
        CALL
    }

    /** What defaults depend on. */
    record Defaults(TrainSettings train, RewardChoice reward, RewardPer per) {}

    /** Numbers that a setting takes. */
    enum Range {
        POSITIVE("a number above 0", value -> value > 0 && value < Double.POSITIVE_INFINITY),
        POSITIVE_OR_INFINITE("a number above 0", value -> value > 0),
        NOT_NEGATIVE("a number of at least 0", value -> value >= 0 && value < Double.POSITIVE_INFINITY),
        /** As in answers. */
        PRICE("a number from 0 to " + (long) Reply.HIGHEST_COST, value -> value >= 0 && value <= Reply.HIGHEST_COST),
        UP_TO_ONE("a number above 0, up to 1", value -> value > 0 && value <= 1),
        BELOW_ONE("a number between 0 and 1", value -> value > 0 && value < 1),
        /** The logarithm of something that must neither vanish nor overflow. */
        LOGARITHM("a number between -50 and 50", value -> Math.abs(value) <= 50);

        private final String words;
        private final DoublePredicate contains;

        Range(String words, DoublePredicate contains) {
            this.words = words;
            this.contains = contains;
        }
    }

    /** A text; an empty one means that there is none. */
    static SettingSpec text(String label) {
        return text(label, text -> {});
    }

    static SettingSpec text(String label, Consumer<String> check) {
        return of(label, true, text -> {
            check.accept(text);
            return text;
        });
    }

    /** Jars and folders. */
    static SettingSpec classPath() {
        return of("PATHS", true, UserClasses::absolute);
    }

    static SettingSpec reward() {
        return of("HOW", true, RewardChoice::of);
    }

    static SettingSpec count(String label, int least) {
        return count(label, least, Integer.MAX_VALUE);
    }

    static SettingSpec count(String label, int least, int most) {
        return whole(label, value -> {
            boolean openEnded = most == Integer.MAX_VALUE && value < least;
            String end = openEnded ? " of at least " + least : " from " + least + " to " + most;
            require(value >= least && value <= most, "a whole number" + end);
        });
    }

    static SettingSpec even(String label, int least, int most) {
        return whole(
                label,
                value -> require(
                        value >= least && value <= most && value % 2 == 0,
                        "an even number from " + least + " to " + most));
    }

    static SettingSpec whole(String label) {
        return whole(label, value -> {});
    }

    /** Units of hidden layers, separated by commas. */
    static SettingSpec layers() {
        return of("UNITS,…", false, text -> {
            String needed = "units of 1 to " + HiddenLayers.MOST_LAYERS + " hidden layers, each from 1 to "
                    + HiddenLayers.MOST_UNITS + ", separated by commas, such as 64,64";
            List<Integer> units = Arrays.stream(text.split(",", -1))
                    .map(part -> SettingSpec.<Integer>parsed(Integer::valueOf, part.strip(), needed))
                    .toList();
            try {
                return new HiddenLayers(units, Activation.RELU).units();
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(needed, e);
            }
        });
    }

    /** Minibatches of a fit of the kernel: a number, or one pass. */
    static SettingSpec updates(int most) {
        return numberOr("COUNT", count("", 0, most), KernelUpdates.Fixed::new, PASS, new KernelUpdates.Pass());
    }

    /** Evaluated episodes of an iteration: a number, or as many as are needed. */
    static SettingSpec pace() {
        return numberOr("n", count("", 1), Pace.Fixed::new, AUTO, new Pace.Auto(Pace.Auto.MOST));
    }

    private static SettingSpec numberOr(
            String label, SettingSpec number, IntFunction<Object> ofNumber, String word, Object ofWord) {
        return of(label + "|" + word, false, text -> {
            if (text.equalsIgnoreCase(word)) {
                return ofWord;
            }
            try {
                return ofNumber.apply(((Number) number.reader.apply(text)).intValue());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(e.getMessage() + ", or " + word, e);
            }
        });
    }

    private static SettingSpec whole(String label, LongConsumer check) {
        return of(label, false, text -> {
            long value = parsed(Long::valueOf, text, "a whole number");
            check.accept(value);
            return value;
        });
    }

    static SettingSpec real(String label, Range range) {
        return of(label, false, text -> {
            double value = parsed(Double::valueOf, text, "a number");
            require(!Double.isNaN(value), "a number");
            require(range.contains.test(value), value == Double.POSITIVE_INFINITY ? "a finite number" : range.words);
            return value;
        });
    }

    static SettingSpec flag() {
        return of(TRUE_OR_FALSE, false, text -> switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("true or false");
        });
    }

    static SettingSpec choice(Class<? extends Enum<?>> choices) {
        List<String> words = Words.all(choices);
        return of(words.size() > 3 ? "NAME" : String.join("|", words), false, text -> {
            int index = words.indexOf(text.toLowerCase(Locale.ROOT));
            require(index >= 0, "one of " + String.join(", ", words));
            return Arrays.asList(choices.getEnumConstants()).get(index);
        });
    }

    private static SettingSpec of(String label, boolean isText, Function<String, Object> reader) {
        return new SettingSpec(label, reader, isText, defaults -> Optional.empty(), Optional.empty(), Scope.RUN, false);
    }

    private static <T extends Number> T parsed(Function<String, T> parser, String text, String needed) {
        try {
            return parser.apply(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(needed, e);
        }
    }

    static void require(boolean holds, String needed) {
        if (!holds) {
            throw new IllegalArgumentException(needed);
        }
    }

    boolean isFlag() {
        return label.equals(TRUE_OR_FALSE);
    }

    /** With a default. */
    SettingSpec or(Object value) {
        return orElse(defaults -> value);
    }

    /** With the library's default, which may depend on preset, algorithm and grain. */
    SettingSpec by(Function<TrainSettings, Object> value) {
        return orElse(defaults -> value.apply(defaults.train));
    }

    SettingSpec orElse(Function<Defaults, Object> value) {
        return new SettingSpec(
                label, reader, isText, defaults -> Optional.of(value.apply(defaults)), relevance, scope, isBasic);
    }

    SettingSpec onlyFor(Relevance only) {
        return new SettingSpec(label, reader, isText, fallback, Optional.of(only), scope, isBasic);
    }

    SettingSpec changeable() {
        return new SettingSpec(label, reader, isText, fallback, relevance, Scope.CHANGEABLE, isBasic);
    }

    SettingSpec perCall() {
        return new SettingSpec(label, reader, isText, fallback, relevance, Scope.CALL, isBasic);
    }

    SettingSpec basic() {
        return new SettingSpec(label, reader, isText, fallback, relevance, scope, true);
    }

    /** A value in its one spelling: 0.0003 for 3e-4. */
    static String spelled(Object value) {
        return switch (value) {
            case Double number
            when Double.isFinite(number) ->
                BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
            case Enum<?> choice -> Words.of(choice);
            case KernelUpdates.Fixed(int count) -> Integer.toString(count);
            case KernelUpdates.Pass pass -> PASS;
            case Pace.Fixed(int count) -> Integer.toString(count);
            case Pace.Auto auto -> AUTO;
            case List<?> list -> list.stream().map(SettingSpec::spelled).collect(Collectors.joining(","));
            default -> value.toString();
        };
    }
}
