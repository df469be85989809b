package dev.pgkq.app.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The values of an enumeration as people write them: {@code recombination-plain}. */
final class Words {
    private Words() {}

    static String of(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static List<String> all(Class<? extends Enum<?>> choices) {
        return Arrays.stream(choices.getEnumConstants()).map(Words::of).toList();
    }
}
