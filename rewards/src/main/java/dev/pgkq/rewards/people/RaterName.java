package dev.pgkq.rewards.people;

import java.text.Normalizer;

/**
 * The name of a rater. Raters are identified by their names: two people with the same name count as one rater.
 *
 * @param text the name, with white space normalized
 */
public record RaterName(String text) {
    /** Maximum number of characters. */
    public static final int LONGEST = 40;

    /** @throws RatingRefused if the name is not valid */
    public RaterName {
        String given = Normalizer.normalize(text, Normalizer.Form.NFC).strip();
        text = given.replaceAll("\\s+", " ");
        if (text.isEmpty() || text.codePointCount(0, text.length()) > LONGEST) {
            throw new RatingRefused("a name must have 1 to " + LONGEST + " characters");
        }
        if (given.codePoints().anyMatch(RaterName::isUnfit)) {
            throw new RatingRefused("a name must consist of visible characters on one line");
        }
    }

    private static boolean isUnfit(int character) {
        int type = Character.getType(character);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || type == Character.SURROGATE
                || type == Character.PRIVATE_USE
                || type == Character.UNASSIGNED;
    }
}
