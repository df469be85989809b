package dev.pgkq.rewards.people;

import dev.pgkq.text.UserException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rating scale: the integers from {@code low} to {@code high}, with labels for both ends.
 *
 * @param low the worst rating
 * @param high the best rating
 * @param lowLabel meaning of the worst rating; may be empty
 * @param highLabel meaning of the best rating; may be empty
 */
public record RatingScale(int low, int high, String lowLabel, String highLabel) {
    /** More buttons are hard to tell apart, and to hit on a phone. */
    private static final int MOST_STEPS = 20;

    private static final int LONGEST_LABEL = 60;
    private static final Pattern TEXT =
            Pattern.compile("\\s*([+-]?\\d{1,4})(?:\\s+(.*?))?\\s*\\.\\.\\s*([+-]?\\d{1,4})(?:\\s+(.*?))?\\s*");

    /** @throws UserException if the range or a label is too large */
    public RatingScale {
        if (low >= high || high - low > MOST_STEPS) {
            throw new UserException("a rating scale must go from an integer to a larger one in at most " + MOST_STEPS
                    + " steps, got " + low + " to " + high);
        }
        if (lowLabel.length() > LONGEST_LABEL || highLabel.length() > LONGEST_LABEL) {
            throw new UserException("the label of a rating scale may have at most " + LONGEST_LABEL
                    + " characters, because it is shown beside a button");
        }
    }

    /**
     * Parses {@code 0..10} or {@code 0 fell at once .. 10 walks like a person}.
     *
     * @throws UserException if it is not a scale
     */
    public static RatingScale parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new UserException("a rating scale is written 0..10, or with labels for its ends,"
                    + " \"0 fell at once .. 10 walks like a person\"; got '" + text + "'");
        }
        return new RatingScale(
                Integer.parseInt(parts.group(1)),
                Integer.parseInt(parts.group(3)),
                label(parts.group(2)),
                label(parts.group(4)));
    }

    private static String label(@Nullable String group) {
        return group == null ? "" : group.strip();
    }

    /** Whether a number is on the scale. */
    public boolean has(double value) {
        return value >= low && value <= high && value == Math.rint(value);
    }

    /** The text that {@link #parse} understands. */
    public String text() {
        if (lowLabel.isEmpty() && highLabel.isEmpty()) {
            return low + ".." + high;
        }
        return (low + " " + lowLabel).strip() + " .. " + (high + " " + highLabel).strip();
    }
}
