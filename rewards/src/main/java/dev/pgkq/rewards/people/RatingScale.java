package dev.pgkq.rewards.people;

import dev.pgkq.text.UserException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that an episode can be given: every whole number from one end to the other, with words for both ends.
 *
 * @param low the worst
 * @param high the best
 * @param lowLabel what the worst means; may be empty
 * @param highLabel what the best means; may be empty
 */
public record RatingScale(int low, int high, String lowLabel, String highLabel) {
    /** More buttons than this nobody can tell apart, or hit on a phone. */
    private static final int MOST_STEPS = 20;

    private static final int LONGEST_LABEL = 60;
    private static final Pattern TEXT =
            Pattern.compile("\\s*([+-]?\\d{1,4})(?:\\s+(.*?))?\\s*\\.\\.\\s*([+-]?\\d{1,4})(?:\\s+(.*?))?\\s*");

    public RatingScale {
        if (low >= high || high - low > MOST_STEPS) {
            throw new UserException("a rating scale goes from a whole number up to a larger one in at most "
                    + MOST_STEPS + " steps, and not from " + low + " to " + high);
        }
        if (lowLabel.length() > LONGEST_LABEL || highLabel.length() > LONGEST_LABEL) {
            throw new UserException("the words at an end of a rating scale have at most " + LONGEST_LABEL
                    + " characters: they stand beside a button");
        }
    }

    /** Understands {@code 0..10} and {@code 0 fell at once .. 10 walks like a person}. */
    public static RatingScale parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new UserException("a rating scale is written 0..10, or with words for its ends:"
                    + " \"0 fell at once .. 10 walks like a person\"; got '" + text + "'");
        }
        return new RatingScale(
                Integer.parseInt(parts.group(1)),
                Integer.parseInt(parts.group(3)),
                words(parts.group(2)),
                words(parts.group(4)));
    }

    private static String words(@Nullable String group) {
        return group == null ? "" : group.strip();
    }

    /** Whether an episode can be given that number. */
    public boolean has(double value) {
        return value >= low && value <= high && value == Math.rint(value);
    }

    /** As it is parsed. */
    public String text() {
        if (lowLabel.isEmpty() && highLabel.isEmpty()) {
            return low + ".." + high;
        }
        return (low + " " + lowLabel).strip() + " .. " + (high + " " + highLabel).strip();
    }
}
