package dev.pgkq.app.config;

import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Constants of an enumeration as users write them: {@code recombination-plain}. */
public final class Words {
    private Words() {}

    public static String of(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static List<String> all(Class<? extends Enum<?>> choices) {
        return Arrays.stream(choices.getEnumConstants()).map(Words::of).toList();
    }

    /**
     * The constant that a user wrote.
     *
     * @param origin where it was written, for the message: {@code --quadrature}
     * @throws UserException that lists the choices, if it is none of them
     */
    public static <E extends Enum<E>> E parse(String origin, String text, Class<E> choices) {
        String word = text.strip().toLowerCase(Locale.ROOT);
        return Arrays.stream(choices.getEnumConstants())
                .filter(value -> of(value).equals(word))
                .findFirst()
                .orElseThrow(() -> new UserException(origin + " needs one of " + String.join(", ", all(choices))
                        + ", got '" + Excerpt.first(text) + "'"));
    }
}
