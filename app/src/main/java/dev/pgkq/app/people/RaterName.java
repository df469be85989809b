package dev.pgkq.app.people;

import java.text.Normalizer;

/** What a rater calls himself. Raters are known by their names: two with one name are one rater. */
public record RaterName(String text) {
    private static final int LONGEST = 40;

    public RaterName {
        text = Normalizer.normalize(text, Normalizer.Form.NFC).strip().replaceAll("\\s+", " ");
        if (text.isEmpty() || text.codePointCount(0, text.length()) > LONGEST) {
            throw new RatingRefused("a name has 1 to " + LONGEST + " characters");
        }
        if (text.codePoints().anyMatch(RaterName::isUnfit)) {
            throw new RatingRefused("a name consists of characters that can be seen");
        }
    }

    private static boolean isUnfit(int character) {
        int type = Character.getType(character);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.SURROGATE
                || type == Character.PRIVATE_USE
                || type == Character.UNASSIGNED;
    }
}
