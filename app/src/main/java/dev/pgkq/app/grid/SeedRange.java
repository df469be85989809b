package dev.pgkq.app.grid;

import dev.pgkq.text.UserException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The seeds of a grid. Settings that were chosen with some seeds are judged with others.
 *
 * @param first seed
 * @param last seed
 */
public record SeedRange(int first, int last) {
    private static final Pattern WORDS = Pattern.compile("(?:([0-9]{1,9})-)?([0-9]{1,9})");

    /**
     * The seeds 1 to a number, or a range.
     *
     * @param text such as {@code 5} or {@code 11-15}
     * @throws UserException if it is neither
     */
    public static SeedRange parse(String text) {
        Matcher words = WORDS.matcher(text.strip());
        if (words.matches()) {
            int first = words.group(1) == null ? 1 : Integer.parseInt(words.group(1));
            int last = Integer.parseInt(words.group(2));
            if (1 <= first && first <= last) {
                return new SeedRange(first, last);
            }
        }
        throw new UserException(
                "--seeds needs a whole number of at least 1, or a range such as 11-15, got '" + text + "'");
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return first == 1 ? Integer.toString(last) : first + "-" + last;
    }
}
