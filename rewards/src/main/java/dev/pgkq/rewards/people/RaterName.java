package dev.pgkq.rewards.people;

import java.text.Normalizer;

/** What a rater calls himself. Raters are known by their names: two with one name are one rater. */
public record RaterName(String text) {
    /** The most characters a name can have. */
    public static final int LONGEST = 40;

    public RaterName {
        String given = Normalizer.normalize(text, Normalizer.Form.NFC).strip();
        text = given.replaceAll("\\s+", " ");
        if (text.isEmpty() || text.codePointCount(0, text.length()) > LONGEST) {
            throw new RatingRefused("a name has 1 to " + LONGEST + " characters");
        }
        if (given.codePoints().anyMatch(RaterName::isUnfit)) {
            throw new RatingRefused("a name consists of characters that can be seen, on one line");
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
